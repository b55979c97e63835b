/* Drawing a task: grids that are painted with the pointer, their sizes, pairs, and ARC JSON. */
"use strict";

const SIDE_LIMIT = 30;
const brush = { colour: 1 };

const numbers = grid => grid.map(row => typeof row === "string" ? [...row].map(Number) : [...row]);
const blank = (height, width) => Array.from({ length: height }, () => Array(width).fill(0));

function paletteBar() {
  const buttons = PALETTE.map((colour, number) => element("button", {
    type: "button", class: "swatch", style: `background:${colour};color:${contrast(colour)}`, "aria-label": `colour ${number}`,
    "aria-pressed": brush.colour === number,
    onclick: event => {
      brush.colour = number;
      for (const one of event.currentTarget.parentElement.children) one.setAttribute("aria-pressed", one === event.currentTarget);
    },
  }, number));
  return element("div", { class: "palette", role: "group", "aria-label": "colour of the brush" }, ...buttons);
}

/* A grid that can be painted. `changed` is called with the new grid. */
function editableGrid(grid, changed) {
  const shown = canvas({ grid }, 230, "grid to paint");
  shown.classList.add("editable");
  const paintCell = event => {
    const { box, size } = shown.drawn, bounds = shown.getBoundingClientRect();
    const i = Math.floor((event.clientY - bounds.top) / size), j = Math.floor((event.clientX - bounds.left) / size);
    if (i < 0 || j < 0 || i >= box.height || j >= box.width || grid[i][j] === brush.colour) return;
    grid[i][j] = brush.colour;
    images.delete(grid);
    paint(shown);
    changed(grid);
  };
  shown.addEventListener("pointerdown", event => { shown.setPointerCapture(event.pointerId); paintCell(event); });
  shown.addEventListener("pointermove", event => { if (event.buttons & 1) paintCell(event); });
  const side = (value, name, set) => element("input", { type: "number", min: 1, max: SIDE_LIMIT, value, "aria-label": name, onchange: event => {
    set(Math.max(1, Math.min(SIDE_LIMIT, Number(event.target.value) || 1)));
  } });
  const resized = (height, width) => changed(blank(height, width).map((row, i) => row.map((_, j) => grid[i]?.[j] ?? 0)), true);
  return element("div", { class: "painted" }, shown, element("span", { class: "sides" },
    side(grid.length, "rows", height => resized(height, grid[0].length)), "×", side(grid[0].length, "columns", width => resized(grid.length, width))));
}

/* The editor of a task with lists of [input, output] pairs. `changed` is called after each change. */
function taskEditor(task, changed) {
  const root = element("div", { class: "task-editor" });
  const text = element("textarea", { class: "json", rows: 3, "aria-label": "the task as ARC JSON", spellcheck: "false" });
  const update = () => { draw(); note(); };
  const note = () => { text.value = JSON.stringify(arcJson(task)); changed(); };
  const draw = () => root.replaceChildren(paletteBar(), ...part("train"), ...part("test"), exchange());
  const part = name => [
    ...task[name].map((pair, n) => element("div", { class: "edited-pair" }, element("span", { class: "soft" }, `${name} ${n + 1}`),
      edited(pair, 0), element("span", { class: "arrow" }, "→"),
      pair[1] ? edited(pair, 1) : element("button", { type: "button", class: "copy", onclick: () => { pair[1] = numbers(pair[0]); update(); } }, "add an output"),
      element("button", { type: "button", class: "copy", onclick: () => { task[name].splice(n, 1); update(); } }, "remove"))),
    element("button", { type: "button", class: "copy", onclick: () => { task[name].push([blank(3, 3), name === "train" ? blank(3, 3) : null]); update(); } }, `add a ${name} pair`),
  ];
  const edited = (pair, at) => {
    pair[at] = numbers(pair[at]);
    return editableGrid(pair[at], (grid, redraw) => { pair[at] = grid; if (redraw) draw(); note(); });
  };
  const exchange = () => {
    text.value = JSON.stringify(arcJson(task));
    const problem = element("span", { class: "failure wide" });
    return element("div", { class: "exchange" }, element("span", { class: "soft" }, "ARC JSON: copy it, or paste a task here"), text,
      element("button", { type: "button", class: "copy", onclick: () => { text.select(); navigator.clipboard?.writeText(text.value); } }, "copy"),
      element("button", { type: "button", class: "copy", onclick: () => {
        try { Object.assign(task, fromArcJson(JSON.parse(text.value))); update(); } catch (error) { problem.textContent = `This is no task: ${error.message}`; }
      } }, "use this text"), problem);
  };
  draw();
  return root;
}

const arcPair = ([input, output]) => output ? { input: numbers(input), output: numbers(output) } : { input: numbers(input) };
const arcJson = task => ({ train: task.train.map(arcPair), test: task.test.map(arcPair) });

function fromArcJson(value) {
  const pairs = list => list.map(pair => [checkedGrid(pair.input), pair.output ? checkedGrid(pair.output) : null]);
  return { train: pairs(value.train), test: pairs(value.test || []) };
}

function checkedGrid(grid) {
  const width = grid[0].length;
  const fits = grid.length <= SIDE_LIMIT && width >= 1 && width <= SIDE_LIMIT && grid.every(row => row.length === width && row.every(one => Number.isInteger(one) && one >= 0 && one <= 9));
  if (!fits) throw new Error("a grid has 1 to 30 rows of equal length with the numbers 0 to 9");
  return numbers(grid);
}
