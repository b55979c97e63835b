/* The page of `arcloom report`: an overview, and a view of each task, chosen by the part of the address after "#". */
"use strict";

let run = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const SIGNS = { solved: "✓", wrong: "✗", found: "?", open: "", new: "" };
const NAMES = { solved: "solved", wrong: "wrong", found: "answered", open: "open", new: "not begun" };
const filter = { states: new Set(), source: "", text: "", order: "data" };
let overviewScroll = 0;

const number = value => value.toLocaleString("en");
const counted = (count, thing) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
const percent = value => `${Math.round(value * 100)} %`;
const when = seconds => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const blocks = new Map([...document.querySelectorAll("[data-block]")].map(one => [one.dataset.block, one]));

function duration(seconds) {
  if (seconds > 0 && seconds < 0.1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds), minutes = Math.floor(whole / 60);
  return minutes < 120 ? `${minutes} min ${whole % 60 ? `${whole % 60} s` : ""}`.trim() : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/* Figures */

function figures() {
  const { figures: f } = run;
  const cards = [
    f.known ? ["solved", number(f.solved), `of ${number(f.known)} tasks with known answers`, "solved"] : null,
    ["explained", number(f.explained), `of ${number(f.tasks)} tasks have a program that solves all demonstrations`, "found"],
    ["candidates", number(f.candidates), `${number(Math.round(f.candidates / Math.max(run.seconds, 1)))} per second, ${number(f.untyped)} without types`],
    ["generations", number(f.generations), `${(f.generations / Math.max(f.tasks, 1)).toFixed(1)} per task`],
    ["programs", number(f.programs), "that solve the demonstrations of a task"],
    ["time", duration(run.seconds), run.sessions.length > 1 ? `in ${run.sessions.length} sessions` : when(run.started)],
  ].filter(Boolean);
  return element("div", { class: "cards" }, ...cards.map(([name, value, about, kind]) =>
    element("div", { class: `card ${kind || ""}` }, element("span", { class: "name" }, name),
      element("strong", {}, value), element("span", { class: "soft" }, about))));
}

/* Solved tasks over time */

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function curve() {
  const found = run.tasks.filter(task => task.found !== null).sort((a, b) => a.found - b.found);
  if (!found.length) return element("p", { class: "soft" }, "No task has a solution yet.");
  const [width, height, left, bottom] = [720, 250, 44, 26];
  const end = Math.max(run.seconds, found[found.length - 1].found, 0.1);
  const top = niceTop(found.length);
  const x = seconds => left + seconds / end * (width - left - 12);
  const y = count => height - bottom - count / top * (height - bottom - 14);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img", "aria-label": `${found.length} tasks explained after ${duration(end)}` });
  for (let i = 0; i <= 4; i++) {
    const count = top * i / 4, moment = end * i / 4;
    chart.append(svg("line", { x1: left, x2: width - 12, y1: y(count), y2: y(count), class: "rule" }),
      svg("text", { x: left - 8, y: y(count) + 4, class: "tick end" }, String(Math.round(count))),
      svg("text", { x: x(moment), y: height - 6, class: `tick ${i === 4 ? "end" : "middle"}` }, duration(moment)));
  }
  chart.append(...line(found, x, y, end, "found"));
  const solved = found.filter(task => task.state === "solved");
  if (run.figures.known && solved.length) chart.append(...line(solved, x, y, end, "solved"));
  return chart;
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

function legend() {
  const rows = [element("span", { class: "key found" }, "explained: a program solves all demonstrations")];
  if (run.figures.known) rows.push(element("span", { class: "key solved" }, "solved: the test outputs are right, too"));
  return element("p", { class: "legend" }, ...rows);
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

function tile(task) {
  const sure = task.state === "open" || task.state === "new" ? 0.25 : 0.3 + 0.7 * task.confidence;
  const label = `${task.id}, ${NAMES[task.state]}` + (task.source ? `, ${task.source}, confidence ${percent(task.confidence)}` : "");
  return element("a", { class: `tile ${task.state}`, href: `#task/${encodeURIComponent(task.id)}`, title: label, "aria-label": label, style: `--sure:${sure}` },
    task.thumbnail ? canvas({ grid: task.thumbnail }, 40, "") : null, element("span", { class: "sign", "aria-hidden": true }, SIGNS[task.state]));
}

function wall() {
  const tiles = element("div", { class: "wall" });
  const count = element("p", { class: "soft", role: "status" });
  const update = () => {
    const chosen = chosenTasks();
    tiles.replaceChildren(...chosen.map(tile));
    count.textContent = `${number(chosen.length)} of ${number(run.tasks.length)} tasks`;
  };
  update();
  return element("section", { id: "tasks" }, element("h2", {}, "Tasks"), controls(update), count, tiles);
}

function controls(update) {
  const counts = {};
  for (const task of run.tasks) counts[task.state] = (counts[task.state] || 0) + 1;
  const chips = Object.keys(NAMES).filter(state => counts[state]).map(state => element("button", {
    type: "button", class: `chip ${state}`, title: run.states[state], "aria-pressed": filter.states.has(state),
    onclick: event => {
      filter.states.has(state) ? filter.states.delete(state) : filter.states.add(state);
      event.currentTarget.setAttribute("aria-pressed", filter.states.has(state));
      update();
    },
  }, `${SIGNS[state]} ${NAMES[state]} ${number(counts[state])}`));
  const sources = ["", ...run.sources.filter(source => source.explained).map(source => source.name)];
  return element("div", { class: "controls" }, ...chips,
    element("input", { type: "search", id: "search", placeholder: "task id  ( / )", "aria-label": "search by task id", value: filter.text, oninput: event => { filter.text = event.target.value; update(); } }),
    select("source", sources.map(name => [name, name || "every source"]), "source", update),
    select("order", [["data", "order of the data"], ["id", "by id"], ["confidence", "by confidence"], ["found", "by time found"], ["seconds", "by time spent"]], "order", update));
}

function select(label, options, field, update) {
  return element("select", { "aria-label": label, onchange: event => { filter[field] = event.target.value; update(); } },
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
  const rows = run.sources.map(source => [source.name,
    bar(source.explained, most("explained"), number(source.explained), "found"),
    ...(run.figures.known ? [bar(source.solved, most("explained"), number(source.solved), "solved")] : []),
    bar(source.candidates, most("candidates"), number(source.candidates)),
    bar(source.seconds, most("seconds"), duration(source.seconds))]);
  const headings = ["source", "tasks explained", ...(run.figures.known ? ["tasks solved"] : []), "candidates", "time"];
  return element("section", {}, element("h2", {}, "Sources"),
    element("p", { class: "about" }, "A task counts for the source of the program with the most weight. Time is that of all workers."), table(headings, rows));
}

function times() {
  const most = run.sections.length ? run.sections[0][2] : 0;
  const all = run.sections.reduce((sum, row) => sum + row[2], 0);
  const stages = run.sections.map(([name, calls, seconds, inside]) => [name, number(calls), bar(seconds, most, `${duration(seconds)}, ${percent(seconds / all)}`), duration(inside)]);
  const parts = [element("h2", {}, "Time")];
  parts.push(stages.length ? table(["stage", "calls", "time of all workers", "in kernels"], stages)
    : element("p", { class: "soft" }, "This run was stored before times were recorded."));
  if (run.kernels.length) {
    const top = run.kernels[0][3];
    const rows = run.kernels.slice(0, 25).map(([name, calls, count, seconds]) => [name, number(calls), number(count), bar(seconds, top, duration(seconds)), `${(seconds / Math.max(count, 1) * 1e9).toFixed(0)} ns`]);
    parts.push(element("h3", {}, `Kernels, the longest ${rows.length} of ${run.kernels.length}`), table(["kernel", "calls", "rows", "time", "per row"], rows));
  } else if (stages.length) parts.push(element("p", { class: "soft" }, "Kernels are timed with `arcloom solve --profile`."));
  return element("section", {}, ...parts);
}

function sessions() {
  const memory = bytes => bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "–";
  const rows = run.sessions.map((one, i) => [String(i + 1), when(one.started), one.ended ? when(one.ended) : i === run.sessions.length - 1 ? run.status : "killed",
    one.seconds ? duration(one.seconds) : "–", one.budget ? duration(one.budget) : "–", one.shard || "–", one.device || "–", one.workers ?? "–", memory(one.peak_memory)].map(String));
  const versions = Object.entries(run.versions).map(([name, value]) => `${name} ${value}`).join(" · ");
  const settings = Object.entries(run.settings).filter(([, value]) => value !== null).map(([name, value]) => `${name} ${value}`).join(" · ");
  return element("section", {}, element("h2", {}, "Run"),
    run.command ? element("div", { class: "command" }, element("pre", {}, run.command), copyButton(run.command)) : null,
    table(["session", "started", "ended", "time", "budget", "shard", "device", "workers", "memory of a worker"], rows),
    element("p", { class: "soft" }, settings), element("p", { class: "soft" }, versions),
    ...run.problems.map(problem => element("p", { class: "failure wide" }, problem)));
}

function copyButton(text) {
  return element("button", { type: "button", class: "copy", onclick: event => {
    navigator.clipboard?.writeText(text);
    event.currentTarget.textContent = "copied";
  } }, "copy");
}

/* One task */

async function taskPage(id) {
  const about = run.tasks.find(task => task.id === id);
  if (!about) return [element("p", {}, `There is no task ${id} in this report. `, element("a", { href: "#" }, "All tasks"))];
  const data = run.live ? await (await fetch(`api/run/task?id=${encodeURIComponent(id)}`)).json() : await unpacked(blocks.get(id).textContent);
  const facts = [NAMES[about.state], about.source ? `found by ${about.source}` : "", about.found !== null ? `after ${duration(about.found)}` : "",
    about.programs ? counted(about.programs, "program") : "", counted(about.generations, "generation"), `${duration(about.seconds)} of work`].filter(Boolean);
  return [
    element("header", {}, element("div", {}, element("h1", {}, "Task ", element("em", {}, id), " ", element("span", { class: `badge ${about.state}` }, `${SIGNS[about.state]} ${NAMES[about.state]}`)),
      element("p", { class: "about" }, facts.slice(1).join(" · "))), element("div", { class: "tools" }, steps(id), toolbar())),
    element("section", {}, element("h2", {}, "Demonstrations"), demonstrations(data.task)),
    element("section", {}, element("h2", {}, "Answers"), ...data.task.test.map((pair, i) => answer(data, i))),
    ...data.programs.map((program, i) => programSection(data.task, program, i)),
  ];
}

function steps(id) {
  const chosen = chosenTasks(), at = chosen.findIndex(task => task.id === id);
  const link = (task, text, key) => task ? element("a", { class: "step", href: `#task/${encodeURIComponent(task.id)}`, title: key }, text) : element("span", { class: "step soft" }, text);
  return element("nav", { "aria-label": "tasks" }, link(chosen[at - 1], "← previous", "left arrow"),
    element("a", { class: "step", href: "#", title: "Escape" }, "all tasks"), link(chosen[at + 1], "next →", "right arrow"));
}

function answer(data, i) {
  const [input, expected] = data.task.test[i];
  const { grids, confidence } = data.attempts[i] || { grids: [], confidence: 0 };
  const figure = (name, content, kind = "") => element("figure", { class: `answer ${kind}` }, element("figcaption", {}, name), content);
  const isSolved = expected && grids.some(grid => sameGrid(grid, expected));
  const attempts = grids.map((grid, n) => {
    const right = expected ? sameGrid(grid, expected) : null;
    const name = `attempt ${n + 1}` + (right === null ? "" : right ? " ✓ right" : ` ✗ ${differences(grid, expected).length} wrong`);
    return figure(name, drawn({ grid }, { side: 190, expected: isSolved ? undefined : expected }), right ? "right" : "");
  });
  const shown = [figure(`test ${i + 1}`, drawn({ grid: input }, { side: 190 })), ...attempts];
  if (expected) shown.push(figure("expected", drawn({ grid: expected }, { side: 190 })));
  return element("div", { class: "test" }, element("div", { class: "answers" }, ...shown), votes(data, i, expected, confidence));
}

function votes(data, i, expected, confidence) {
  const found = data.votes[i] || [];
  if (!found.length) return element("p", { class: "soft" }, "No program solves the demonstrations; the attempts are guesses from the nearest misses.");
  return element("div", { class: "votes" }, element("p", { class: "soft" }, `confidence ${percent(confidence)}`), ...found.map(guess =>
    element("div", { class: "vote" }, canvas({ grid: guess.grid }, 44), bar(guess.share, 1, `${percent(guess.share)} of the vote`, expected && sameGrid(guess.grid, expected) ? "solved" : "found"),
      element("span", { class: "soft" }, `${counted(guess.programs, "program")}: ${guess.sources.join(", ")}`))));
}

function programSection(task, program, i) {
  const isMiss = program.score !== undefined;
  const facts = [isMiss ? `nearest miss, score ${(program.score / 10).toFixed(1)} %` : `weight ${program.weight.toPrecision(3)}`, `source ${program.source}`,
    counted(program.calls, "call"), program.unseen === false ? "needs to see the answers" : "", `family ${program.root}`].filter(Boolean).join(" · ");
  const body = element("details", { open: i === 0 }, element("summary", {}, element("h2", {}, isMiss ? `Nearest miss ${i + 1}` : `Program ${i + 1}`, " ", element("code", { class: "soft" }, program.digest)), element("span", { class: "soft" }, facts)),
    traceTable(task, program.trace), ancestry(program));
  return element("section", {}, body);
}

function ancestry(program) {
  if (!program.ancestry.length) return null;
  const entries = program.ancestry.map(parent => element("li", {},
    element("span", { class: "change" }, parent.change), " of ", element("code", {}, parent.name), " ", element("code", { class: "soft" }, parent.digest),
    element("pre", { class: "difference" }, ...parent.difference.map(([sign, text]) =>
      sign === "=" ? text : element(sign === "+" ? "ins" : "del", {}, text)))));
  return element("div", {}, element("h3", {}, "Ancestry"), element("ol", { class: "ancestry" }, ...entries));
}

/* The views */

function emptyPage() {
  return [element("header", {}, element("h1", {}, "There is no run yet"), toolbar()),
    element("p", { class: "about" }, "Start a search in the ", element("a", { href: "/" }, "workbench"), "; this page then shows it.")];
}

function overviewPage() {
  if (run.empty) return emptyPage();
  const status = { running: "still searching", killed: "ended without notice", finished: "finished" }[run.status];
  return [
    element("header", {}, element("div", {}, element("h1", {}, "Run on ", element("em", {}, run.data)),
      element("p", { class: "about" }, `${status} · report of ${when(run.made)}`, run.live ? element("span", {}, " · ", element("a", { href: "/" }, "workbench")) : null)), toolbar()),
    figures(),
    wall(),
    element("div", { class: "two" }, element("section", {}, element("h2", {}, "Tasks over time"), legend(), curve()), sources()),
    times(), sessions(),
    element("p", { class: "soft keys" }, "Keys: / search, arrows move between tasks, Enter opens, Esc goes back, d digits, p patterns."),
  ];
}

async function show() {
  const [, id] = location.hash.match(/^#task\/(.+)$/) || [];
  const parts = id ? await taskPage(decodeURIComponent(id)) : overviewPage();
  document.title = id ? `Task ${decodeURIComponent(id)} · arcloom` : `arcloom report: ${run.data}`;
  main.replaceChildren(...parts, hint);
  main.dataset.view = id ? "task" : "overview";
  window.scrollTo(0, id ? 0 : overviewScroll);
}

function moveFocus(by) {
  const tiles = [...document.querySelectorAll(".tile")];
  const at = tiles.indexOf(document.activeElement);
  const across = tiles.filter(one => one.offsetTop === tiles[0]?.offsetTop).length;
  const next = tiles[at < 0 ? 0 : at + (Math.abs(by) === 2 ? Math.sign(by) * across : by)];
  next?.focus();
}

const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches("input, select, textarea");
  const inTask = main.dataset.view === "task";
  if (event.key === "Escape") { if (inTask) location.hash = ""; else document.activeElement.blur(); }
  if (isTyping) return;
  if (event.key === "/" && !inTask) { event.preventDefault(); document.getElementById("search").focus(); }
  if (event.key === "d") setCells(settings.cells === "digits" ? "plain" : "digits");
  if (event.key === "p") setCells(settings.cells === "patterns" ? "plain" : "patterns");
  if (inTask && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    document.querySelector(`nav a[title="${event.key === "ArrowLeft" ? "left arrow" : "right arrow"}"]`)?.click();
  } else if (!inTask && MOVES[event.key] && (Math.abs(MOVES[event.key]) === 1 || document.activeElement.matches(".tile"))) {
    event.preventDefault();
    moveFocus(MOVES[event.key]);
  }
});
document.addEventListener("scroll", () => { if (main.dataset.view === "overview") overviewScroll = scrollY; }, { passive: true });
addEventListener("hashchange", show);
setTheme(settings.theme);
show();

/* In the studio: read the run again while it is under way, unless the reader is busy with a field or a task. */
if (run.live) setInterval(async () => {
  if (document.hidden || main.dataset.view !== "overview" || document.activeElement.matches("input, select, .tile")) return;
  if (!run.empty && run.status !== "running") return;
  const found = await (await fetch("api/run")).json();
  if (found) { run = found; show(); }
}, 3000);
