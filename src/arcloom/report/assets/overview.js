/* The overview of a run: figures, tasks over time, the wall of tasks, sources, times, sessions. */
"use strict";

let run = JSON.parse(document.getElementById("data").textContent);
const SIGNS = { solved: "✓", wrong: "✗", found: "?", open: "", new: "" };
const NAMES = { solved: "solved", wrong: "wrong", found: "answered", open: "open", new: "not begun" };
const MAIN_SHARE = 0.01;
const filter = { states: new Set(), source: "", text: "", order: "data" };

const number = value => value.toLocaleString("en");
const counted = (count, thing) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
const percent = value => `${Math.round(value * 100)} %`;
const when = seconds => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

function duration(seconds) {
  if (seconds === 0) return "0 s";
  if (seconds < 0.1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds), minutes = Math.floor(whole / 60);
  return minutes < 120 ? `${minutes} min ${whole % 60 ? `${whole % 60} s` : ""}`.trim() : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/* Figures */

function stateCounts() {
  const counts = {};
  for (const task of run.tasks) counts[task.state] = (counts[task.state] || 0) + 1;
  return Object.keys(NAMES).filter(state => counts[state]).map(state => [state, counts[state]]);
}

function meaning(state) {
  const guessed = run.tasks.filter(task => task.state === "solved" && task.found === null).length;
  return run.states[state] + (state === "solved" && guessed ? `, ${number(guessed)} of them by a guess` : "");
}

/* The number of solved tasks, or of explained ones if no answers are known, and the states of all tasks as one bar. */
function headline() {
  const { figures: f } = run;
  const [value, of, kind] = f.known ? [f.solved, `of ${counted(f.known, "task")} solved`, "solved"] : [f.explained, `of ${counted(f.tasks, "task")} explained`, "found"];
  const bar = element("div", { class: "states", "aria-hidden": true }, ...stateCounts().map(([state, count]) => element("span", { class: state, style: `flex-grow:${count}` })));
  const rows = stateCounts().map(([state, count]) => element("button", { type: "button", class: `state-row ${state}`, onclick: () => chooseOnly({ state }) },
    element("strong", {}, number(count)), element("span", {}, `${SIGNS[state]} ${NAMES[state]}`.trim()), element("span", { class: "soft" }, meaning(state))));
  return element("section", { class: "headline" }, element("p", { class: `great ${kind}` }, element("strong", {}, number(value)), element("span", {}, of)), bar, element("div", { class: "state-rows" }, ...rows), facts());
}

function facts() {
  const { figures: f } = run;
  const rows = [
    [duration(run.seconds), run.sessions.length > 1 ? `of searching in ${run.sessions.length} sessions` : "of searching"],
    [number(f.candidates), `candidates, ${number(Math.round(f.candidates / Math.max(run.seconds, 1)))} per second`],
    [number(f.generations), `generations, ${(f.generations / Math.max(f.tasks, 1)).toFixed(1)} per task`],
    [number(f.programs), "programs that explain a task"],
  ];
  return element("div", { class: "facts" }, ...rows.map(([value, name]) => element("div", {}, element("strong", {}, value), element("span", { class: "soft" }, name))));
}

/* Tasks over time */

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/* A chart is drawn for its width on the page, so that its text is not scaled. */
const chartWatcher = new ResizeObserver(entries => {
  for (const entry of entries) if (entry.contentRect.width) entry.target.replaceChildren(curve(Math.round(entry.contentRect.width)));
});

function overTime() {
  const chart = element("div", { class: "chart" });
  if (run.tasks.some(task => task.found !== null)) chartWatcher.observe(chart);
  else chart.append(element("p", { class: "soft" }, "No program solves the demonstrations of a task yet."));
  return element("section", { class: "over-time" }, element("h2", {}, "Tasks over time"),
    element("p", { class: "about" }, "Explained: a program solves all demonstrations." + (run.figures.known ? " Solved: its answers to the tests are right, too." : "")), chart);
}

function curve(width) {
  const found = run.tasks.filter(task => task.found !== null).sort((a, b) => a.found - b.found);
  const solved = run.figures.known ? found.filter(task => task.state === "solved") : [];
  const [height, left, right, bottom] = [260, 38, 112, 26];
  const end = Math.max(run.seconds, found[found.length - 1].found, 0.1), top = niceTop(found.length);
  const x = seconds => left + seconds / end * (width - left - right);
  const y = count => height - bottom - count / top * (height - bottom - 14);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "curve", role: "img", "aria-label": `${found.length} tasks explained and ${solved.length} solved after ${duration(end)}` });
  for (let i = 0; i <= 4; i++) {
    const count = top * i / 4;
    chart.append(svg("line", { x1: left, x2: width - right, y1: y(count), y2: y(count), class: "rule" }), svg("text", { x: left - 8, y: y(count) + 4, class: "tick end" }, String(Math.round(count))));
  }
  const parts = width < 460 ? 2 : 4;
  for (let i = 0; i <= parts; i++) chart.append(svg("text", { x: x(end * i / parts), y: height - 6, class: "tick" }, duration(end * i / parts)));
  const labels = spread([["found", found.length, "explained"], ["solved", solved.length, "solved"]].filter(([, count]) => count), y);
  chart.append(...line(found, x, y, end, "found"), ...(solved.length ? line(solved, x, y, end, "solved") : []),
    ...labels.map(([kind, text, at]) => svg("text", { x: width - right + 8, y: at + 4, class: `label ${kind}` }, text)));
  return chart;
}

/* The labels at the ends of lines, moved apart if they would overlap. */
function spread(lines, y) {
  const labels = lines.map(([kind, count, name]) => [kind, `${number(count)} ${name}`, y(count)]);
  if (labels.length > 1) labels[1][2] = Math.max(labels[1][2], labels[0][2] + 16);
  return labels;
}

function niceTop(count) {
  for (let scale = 4; ; scale *= 10) for (const step of [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) {
    if (step * scale >= count && (scale > 4 || Number.isInteger(step))) return step * scale;
  }
}

function line(tasks, x, y, end, kind) {
  let path = `M${x(0)} ${y(0)}`;
  tasks.forEach((task, i) => { path += `H${x(task.found).toFixed(1)}V${y(i + 1).toFixed(1)}`; });
  path += `H${x(end)}`;
  return [svg("path", { d: `${path}V${y(0)}Z`, class: `area ${kind}` }), svg("path", { d: path, class: `line ${kind}` })];
}

/* The wall of tasks */

function chosenTasks() {
  const text = filter.text.trim().toLowerCase();
  const chosen = run.tasks.filter(task => (!filter.states.size || filter.states.has(task.state)) &&
    (!filter.source || task.source === filter.source) && (!text || task.id.toLowerCase().includes(text)));
  const by = { confidence: task => -task.confidence, found: task => task.found ?? Infinity, seconds: task => -task.seconds, id: null }[filter.order];
  if (filter.order === "id") return chosen.sort((a, b) => a.id.localeCompare(b.id));
  return by ? chosen.sort((a, b) => by(a) - by(b)) : chosen;
}

const tiles = new Map();

/* The tile of a task. During a search, the element of a tile is kept until its task changes. */
function tile(task) {
  const content = settings.cells + JSON.stringify(task), known = tiles.get(task.id);
  if (known?.content === content) return known.made;
  const label = `${task.id}, ${NAMES[task.state]}` + (task.source ? `, ${task.source}, confidence ${percent(task.confidence)}` : "");
  const made = element("a", { class: `tile ${task.state}`, href: `#task/${encodeURIComponent(task.id)}`, "aria-label": label, style: `--sure:${task.confidence}`,
    onpointerenter: event => showPeek(task, event.currentTarget), onpointerleave: hidePeek, onfocus: event => showPeek(task, event.currentTarget), onblur: hidePeek },
    task.thumbnail ? canvas({ grid: task.thumbnail }, 44, "") : null, element("span", { class: "sign", "aria-hidden": true }, SIGNS[task.state]));
  tiles.set(task.id, { content, made });
  return made;
}

/* A larger picture of the task under the pointer or with the focus. */
const peek = element("div", { class: "peek", hidden: true, "aria-hidden": true });

function showPeek(task, target) {
  const facts = [task.source ? `found by ${task.source}` : "", task.found !== null ? `after ${duration(task.found)}` : "", task.confidence ? `confidence ${percent(task.confidence)}` : ""].filter(Boolean);
  peek.replaceChildren(...[task.thumbnail && canvas({ grid: task.thumbnail }, 150, ""), element("p", {}, element("code", {}, task.id), " ", badge(task)),
    element("p", { class: "soft" }, facts.join(" · ") || run.states[task.state])].filter(Boolean));
  peek.hidden = false;
  const bounds = target.getBoundingClientRect(), own = peek.getBoundingClientRect();
  const above = bounds.top - own.height - 8;
  peek.style.left = Math.max(8, Math.min(bounds.left + bounds.width / 2 - own.width / 2, innerWidth - own.width - 8)) + "px";
  peek.style.top = (above > 8 ? above : bounds.bottom + 8) + "px";
}

function hidePeek() { peek.hidden = true; }

const badge = task => element("span", { class: `badge ${task.state}` }, `${SIGNS[task.state]} ${NAMES[task.state]}`.trim());

function wall() {
  return element("section", { id: "tasks" }, element("h2", {}, "Tasks"), controls(), element("p", { class: "soft", role: "status", id: "chosen" }), element("div", { class: "wall" }));
}

function fillWall() {
  const chosen = chosenTasks();
  hidePeek();
  document.querySelector(".wall").replaceChildren(...chosen.map(tile));
  document.getElementById("chosen").textContent = chosen.length ? `${number(chosen.length)} of ${number(run.tasks.length)} tasks` : "No task fits these filters.";
}

/* Show the tasks with one state or source, below the figures. */
function chooseOnly({ state, source = "" }) {
  Object.assign(filter, { states: new Set(state ? [state] : []), source, text: "" });
  const tasks = document.getElementById("tasks");
  tasks.querySelector(".controls").replaceWith(controls());
  fillWall();
  tasks.scrollIntoView({ block: "start" });
}

function controls() {
  const chips = stateCounts().map(([state, count]) => element("button", {
    type: "button", class: `chip ${state}`, title: run.states[state], "aria-pressed": filter.states.has(state),
    onclick: event => {
      filter.states.has(state) ? filter.states.delete(state) : filter.states.add(state);
      event.currentTarget.setAttribute("aria-pressed", filter.states.has(state));
      fillWall();
    },
  }, `${SIGNS[state]} ${NAMES[state]} ${number(count)}`.trim()));
  const sources = ["", ...new Set(run.tasks.map(task => task.source).filter(Boolean))];
  return element("div", { class: "controls" }, ...chips,
    element("input", { type: "search", id: "search", placeholder: "task id  ( / )", "aria-label": "search by task id", value: filter.text, oninput: event => { filter.text = event.target.value; fillWall(); } }),
    select("source", sources.map(name => [name, name || "every source"]), "source"),
    select("order", [["data", "order of the data"], ["id", "by id"], ["confidence", "by confidence"], ["found", "by time found"], ["seconds", "by time spent"]], "order"));
}

function select(label, options, field) {
  return element("select", { "aria-label": label, onchange: event => { filter[field] = event.target.value; fillWall(); } },
    ...options.map(([value, text]) => element("option", { value, selected: filter[field] === value }, text)));
}

/* Tables with bars */

function table(headings, rows) {
  return element("div", { class: "scroll" }, element("table", { class: "figures" },
    element("thead", {}, element("tr", {}, ...headings.map(text => element("th", {}, text)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map(value => element("td", {}, value)))))));
}

function bar(value, most, text, kind = "") {
  const part = most ? Math.max(value / most * 100, value ? 1 : 0) : 0;
  return element("span", { class: "bar" }, element("span", { class: `fill ${kind}`, style: `width:${part}%` }), element("span", {}, text));
}

function sources() {
  const most = name => Math.max(...run.sources.map(source => source[name]), 0);
  const rows = run.sources.map(source => [
    source.explained || source.solved ? element("button", { type: "button", class: "link", title: `show the tasks of ${source.name}`, onclick: () => chooseOnly({ source: source.name }) }, source.name) : source.name,
    bar(source.explained, most("explained"), number(source.explained), "found"),
    ...(run.figures.known ? [bar(source.solved, most("explained"), number(source.solved), "solved")] : []),
    bar(source.candidates, most("candidates"), number(source.candidates)),
    bar(source.seconds, most("seconds"), duration(source.seconds))]);
  const headings = ["found by", "explained", ...(run.figures.known ? ["solved"] : []), "candidates", "time"];
  return element("section", {}, element("h2", {}, "Sources"),
    element("p", { class: "about" }, "A task counts for the source of its program with the most weight. Time is the sum over all workers."), table(headings, rows));
}

function times() {
  const all = run.sections.reduce((sum, row) => sum + row[2], 0), most = run.sections[0]?.[2] || 0;
  const inKernels = run.sections.some(row => row[3]);
  const row = ([name, calls, seconds, inside]) => [name, bar(seconds, most, duration(seconds)), percent(seconds / all), ...(inKernels ? [duration(inside)] : []), number(calls)];
  const headings = ["stage", "time of all workers", "share", ...(inKernels ? ["in kernels"] : []), "calls"];
  const long = run.sections.filter(one => one[2] >= all * MAIN_SHARE), short = run.sections.filter(one => one[2] < all * MAIN_SHARE);
  const parts = long.length ? [table(headings, long.map(row))] : [element("p", { class: "soft" }, run.status === "finished" ? "This run was stored before times were recorded." : "Times are stored at the end of a search.")];
  if (short.length) parts.push(more(`${counted(short.length, "stage")} of less than ${percent(MAIN_SHARE)}`, table(headings, short.map(row))));
  return element("section", {}, element("h2", {}, "Time"), ...parts, kernels());
}

function kernels() {
  if (!run.kernels.length) return run.sections.length ? element("p", { class: "soft" }, "arcloom solve --profile also measures each kernel.") : null;
  const rows = run.kernels.slice(0, 25).map(([name, calls, count, seconds]) => [name, bar(seconds, run.kernels[0][3], duration(seconds)), number(calls), number(count), `${(seconds / Math.max(count, 1) * 1e9).toFixed(0)} ns`]);
  return more(`Kernels, the longest ${rows.length} of ${run.kernels.length}`, table(["kernel", "time", "calls", "rows", "per row"], rows));
}

const more = (title, content) => element("details", {}, element("summary", { class: "soft" }, title), content);

function sessions() {
  const memory = bytes => bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "–";
  const rows = run.sessions.map((one, i) => [String(i + 1), when(one.started), one.ended ? when(one.ended) : i === run.sessions.length - 1 ? run.status : "killed",
    one.seconds ? duration(one.seconds) : "–", one.budget ? duration(one.budget) : "–", one.shard || "–", one.device || "–", one.workers ?? "–", memory(one.peak_memory)].map(String));
  const listed = pairs => element("dl", { class: "pairs-of-text" }, ...Object.entries(pairs).filter(([, value]) => value !== null).map(([name, value]) => element("div", {}, element("dt", {}, name.replaceAll("_", " ")), element("dd", {}, String(value)))));
  return element("section", {}, element("h2", {}, "Run"),
    run.command ? element("div", { class: "command" }, element("pre", {}, run.command), copyButton(run.command)) : null,
    table(["session", "started", "ended", "time", "budget", "shard", "device", "workers", "memory of a worker"], rows),
    listed(run.settings), listed(run.versions),
    ...run.problems.map(problem => element("p", { class: "failure wide" }, problem)));
}

function copyButton(text, name = "copy") {
  return element("button", { type: "button", class: "copy", onclick: event => {
    event.preventDefault();
    navigator.clipboard?.writeText(text);
    event.currentTarget.textContent = "copied";
  } }, name);
}
