/* The workbench of the studio: a list of tasks, an editor of programs, and drawings of every line. */
"use strict";

const state = { data: remembered("data", studio.data[0]), tasks: [], task: null, own: null, search: "", sizes: "", tried: "", request: null, rows: new Map() };
const words = new Map();
for (const family of studio.language.families) for (const one of family.primitives) words.set(one.name, one);
for (const [name, value] of Object.entries(studio.language.constants)) words.set(name, { name, signature: `${name} = ${JSON.stringify(value)}`, summary: "A constant." });

function tell(text, isBad = false) {
  notice.textContent = text;
  notice.className = isBad ? "notice failure wide" : "notice soft";
}

const LINE_HEIGHT = 20, LEAST_LINES = 6;

/* The parts of the page */

const notice = element("p", { class: "notice soft", role: "status" });
const taskList = element("div", { class: "task-list" });
const taskCount = element("p", { class: "soft count", role: "status" });
const source = element("textarea", { id: "source", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "program", wrap: "off" });
const colours = element("pre", { class: "colours", "aria-hidden": true });
const gutter = element("pre", { class: "gutter", "aria-hidden": true });
const popup = element("ul", { class: "completions", hidden: true, role: "listbox" });
const signature = element("p", { class: "signature soft" });
const problems = element("ul", { class: "problems" });
const verdictLine = element("p", { class: "about verdict", role: "status" });
const traced = element("section", { id: "traced" });
const drawing = element("section", { id: "drawing", hidden: true });

function layout() {
  const filter = element("input", { type: "search", id: "filter", placeholder: "task id", "aria-label": "search by task id", oninput: event => { state.search = event.target.value; listTasks(); } });
  return [
    studioBar("/"),
    element("div", { class: "bench" },
      element("section", { class: "side" }, dataChoice(state.data, openData), filter,
        element("div", { class: "filters" },
          choice("sizes", [["", "any output size"], ["same", "same size"], ["smaller", "smaller output"], ["larger", "larger output"], ["other", "other sizes"]]),
          choice("tried", [["", "all tasks"], ["right", "solved here"], ["wrong", "tried here"], ["none", "not tried here"]])),
        button("draw a task of your own", drawTask), taskCount, taskList),
      element("div", { class: "work" },
        drawing,
        element("section", { class: "writing" }, element("div", { class: "actions" }, element("h2", { id: "title" }, "Program"), verdictLine,
          button("first difference", firstDifference, { title: "show the first wrong or failing value" }), button("save to the library", save)),
          element("div", { class: "editor" }, gutter, element("div", { class: "sheet" }, colours, source), popup), signature, problems, notice),
        traced)),
    hint,
  ];
}

function choice(field, options) {
  return element("select", { "aria-label": field === "sizes" ? "size of the outputs" : "tasks by your programs", onchange: event => { state[field] = event.target.value; listTasks(); } },
    ...options.map(([value, text]) => element("option", { value }, text)));
}

/* Tasks */

/* Open a dataset. Returns whether it could be read. */
async function openData(name) {
  let found;
  try { found = (await ask(`api/tasks?data=${encodeURIComponent(name)}`)).tasks; } catch (error) { tell(error.message, true); return false; }
  tell("");
  Object.assign(state, { data: name, tasks: found });
  store("data", name);
  listTasks();
  const last = remembered(`task.${name}`, "");
  if (found.length) await openTask(found.some(task => task.id === last) ? last : found[0].id);
  return true;
}

/* The result of the last program for a task in this browser: "right", "wrong" or "none". */
const resultOf = id => remembered(`result.${id}`, "none");

function listTasks() {
  const text = state.search.trim().toLowerCase();
  const chosen = state.tasks.filter(task => task.id.toLowerCase().includes(text) && (!state.sizes || task.sizes === state.sizes) && (!state.tried || resultOf(task.id) === state.tried));
  taskCount.textContent = chosen.length ? `${chosen.length} of ${state.tasks.length} tasks` : "No task fits these filters.";
  taskList.replaceChildren(...chosen.map(task => element("button", { type: "button", class: "task", "data-id": task.id, "data-result": resultOf(task.id), "aria-pressed": task.id === state.task?.id, onclick: () => openTask(task.id) },
    element("span", { class: "thumbnail" }, canvas({ grid: task.thumbnail }, 36, "")), element("code", {}, task.id))));
}

async function openTask(id) {
  try { choose(await ask(`api/task?data=${encodeURIComponent(state.data)}&id=${encodeURIComponent(id)}`), state.data); } catch (error) { tell(error.message, true); }
}

function choose(task, data) {
  state.task = task;
  state.rows.clear();
  state.own = data === null ? task : null;
  drawing.hidden = data !== null;
  popup.hidden = true;
  tell("");
  document.getElementById("title").textContent = data === null ? "Program for your task" : `Program for ${task.id}`;
  if (data !== null) store(`task.${data}`, task.id);
  for (const one of taskList.children) one.setAttribute("aria-pressed", one.dataset.id === task.id);
  const name = /^\w+$/.test(task.id) ? task.id : "own";
  source.value = remembered(`program.${task.id}`, `def solve_${name}(I):\n    O = I\n    return O\n`);
  showTrace({ trace: null });
  trace();
}

function drawTask() {
  const task = { id: "own", ...fromArcJson(JSON.parse(remembered("own", '{"train":[{"input":[[0,0,0],[0,1,0],[0,0,0]],"output":[[0,0,0],[0,2,0],[0,0,0]]}],"test":[{"input":[[1,0,0],[0,0,0],[0,0,1]]}]}'))) };
  drawing.replaceChildren(element("h2", {}, "Your task"), taskEditor(task, () => { store("own", JSON.stringify(arcJson(task))); state.rows.clear(); trace(); }));
  choose(task, null);
}

/* The program */

function edited() {
  mark("keystroke");
  if (state.task) store(`program.${state.task.id}`, source.value);
  colour([]);
  trace();
}

async function trace() {
  state.request?.abort();
  const request = state.request = new AbortController();
  try {
    const task = { id: state.task.id, ...arcJson(state.task) };
    const found = await ask("api/trace", { content: { source: source.value, task }, signal: request.signal });
    showProblems(found.errors);
    showTrace(found);
    noteResult(found);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message, true);
  }
}

/* The trace. Without one, the task alone, or the last trace, faded, while a line is incomplete. */
function showTrace(found) {
  const isStale = !found.trace && found.errors !== undefined && traced.querySelector(".trace");
  traced.classList.toggle("stale", Boolean(isStale));
  if (isStale) return;
  verdictLine.textContent = found.trace ? summary(state.task, found.trace) : "";
  traced.replaceChildren(traceTable(state.task, found.trace || { name: "", lines: [], wrong: [], problem: null }, { withTask: true, rows: state.rows }));
  const visible = [...traced.querySelectorAll("canvas")].filter(one => one.mode !== settings.cells && one.getBoundingClientRect().top < innerHeight);
  visible.forEach(paint);  // positions are read before, because reading them after painting is slow
  requestAnimationFrame(() => setTimeout(() => mark("picture")));
}

/* The last time of an event, for benchmarks/keystrokes.py. */
function mark(name) {
  performance.clearMarks(name);
  performance.mark(name);
}

/* Mark the task in the list by the result of the program, if it has been changed. */
function noteResult(found) {
  if (state.own || remembered(`program.${state.task.id}`, "") === "") return;
  const isRight = found.trace && !found.errors.length && !found.trace.wrong.length;
  store(`result.${state.task.id}`, isRight ? "right" : "wrong");
  const listed = [...taskList.children].find(one => one.dataset.id === state.task.id);
  if (listed) listed.dataset.result = isRight ? "right" : "wrong";
}

function showProblems(errors) {
  colour(errors);
  problems.replaceChildren(...errors.map(error => element("li", {}, element("button", { type: "button", class: "problem", onclick: () => goTo(error.line) }, `line ${error.line}: ${error.message}`))));
}

/* The highlighted program behind the edited text, and the line numbers. Lines with errors are marked. */
function colour(errors) {
  const wrong = new Set(errors.map(error => error.line)), lines = source.value.split("\n");
  colours.replaceChildren(...lines.map((line, i) => element("span", { class: wrong.has(i + 1) ? "row wrong" : "row" }, code(line || " "))));
  gutter.replaceChildren(...lines.map((_, i) => element("span", { class: wrong.has(i + 1) ? "wrong" : "" }, `${i + 1}`)));
  source.style.height = Math.max(LEAST_LINES, lines.length) * LINE_HEIGHT + 18 + "px";
}

function goTo(line) {
  const at = source.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  source.focus();
  source.setSelectionRange(at, at);
}

function firstDifference() {
  const found = document.querySelector("#traced .failure, #traced .value.wrong, #traced .expected canvas");
  if (!found) return tell("There is no difference.");
  found.scrollIntoView({ block: "center", inline: "center", behavior: "smooth" });
  found.classList.add("flash");
  setTimeout(() => found.classList.remove("flash"), 1500);
}

async function save() {
  try { tell((await ask("api/save", { content: { source: source.value, data: state.own ? null : state.data, id: state.task.id } })).saved); } catch (error) { tell(error.message, true); }
}

/* Completion and signatures */

function wordBefore() {
  return source.value.slice(0, source.selectionStart).match(/[A-Za-z_]\w*$/)?.[0] || "";
}

function completions(word) {
  if (!word) return [];
  const names = new Set([...words.keys(), ...(source.value.match(/[A-Za-z_]\w*/g) || [])]);
  names.delete(word);
  const lower = word.toLowerCase();
  const begins = [...names].filter(name => name.toLowerCase().startsWith(lower)).sort((a, b) => a.length - b.length || a.localeCompare(b));
  const contains = lower.length > 2 ? [...names].filter(name => !name.toLowerCase().startsWith(lower) && name.toLowerCase().includes(lower)) : [];
  return [...begins, ...contains].slice(0, 8);
}

function suggest() {
  const word = wordBefore(), found = completions(word);
  popup.hidden = !found.length || word.length < 2;
  popup.replaceChildren(...found.map((name, i) => element("li", { role: "option", "data-name": name, "aria-selected": i === 0, onpointerdown: event => { event.preventDefault(); complete(name); } },
    element("code", {}, name), " ", element("span", { class: "soft" }, words.get(name)?.signature || "variable"))));
  const before = source.value.slice(0, source.selectionStart).split("\n");
  popup.style.top = before.length * LINE_HEIGHT + 8 - source.scrollTop + "px";
  popup.style.left = Math.min(gutter.offsetWidth + 8 + (before.at(-1).length - word.length) * characterWidth(), Math.max(60, source.clientWidth - 300)) + "px";
}

/* The width of a character in the font of the editor. */
function characterWidth() {
  const context = element("canvas").getContext("2d");
  context.font = getComputedStyle(source).font;
  return context.measureText("x").width;
}

function complete(name) {
  const word = wordBefore();
  source.setRangeText(name, source.selectionStart - word.length, source.selectionStart, "end");
  popup.hidden = true;
  edited();
}

function showSignature() {
  const before = source.value.slice(0, source.selectionStart).split("\n").at(-1);
  let depth = 0, name = "";
  for (let at = before.length - 1; at >= 0 && !name; at--) {
    if (before[at] === ")") depth++;
    if (before[at] === "(" && depth-- === 0) name = before.slice(0, at).match(/[A-Za-z_]\w*$/)?.[0] || "";
  }
  const found = words.get(name) || words.get(wordBefore());
  signature.replaceChildren(...(found ? [element("code", {}, found.signature), ` ${found.summary}`] : ["\u00a0"]));
}

function moveChoice(by) {
  const options = [...popup.children];
  const at = options.findIndex(one => one.getAttribute("aria-selected") === "true");
  const next = options[(at + by + options.length) % options.length];
  for (const one of options) one.setAttribute("aria-selected", one === next);
}

source.addEventListener("keydown", event => {
  if (!popup.hidden) {
    const action = { ArrowDown: () => moveChoice(1), ArrowUp: () => moveChoice(-1), Escape: () => { popup.hidden = true; },
      Tab: () => complete(popup.querySelector("[aria-selected='true']").dataset.name), Enter: () => complete(popup.querySelector("[aria-selected='true']").dataset.name) }[event.key];
    if (action) { event.preventDefault(); action(); return; }
  }
  if (event.key === "Enter") {
    event.preventDefault();
    const line = source.value.slice(0, source.selectionStart).split("\n").at(-1);
    source.setRangeText("\n" + line.match(/^\s*/)[0] + (line.trimEnd().endsWith(":") ? "    " : ""), source.selectionStart, source.selectionEnd, "end");
    edited();
  }
});
source.addEventListener("input", () => { edited(); suggest(); });
source.addEventListener("scroll", () => { colours.scrollLeft = source.scrollLeft; popup.hidden = true; });
source.addEventListener("blur", () => { popup.hidden = true; });
document.addEventListener("selectionchange", () => { if (document.activeElement === source) showSignature(); });

setTheme(settings.theme);
document.getElementById("main").replaceChildren(...layout());
document.getElementById("main").classList.add("wide");
openData(state.data).then(isOpen => isOpen || openData(studio.data[0]));
pollSearch();
