/* The pages of `arcloom report`: the overview, and the page of each task, selected by the fragment of the address. */
"use strict";

const main = document.getElementById("main");
const blocks = new Map([...document.querySelectorAll("[data-block]")].map(one => [one.dataset.block, one]));
const inStudio = document.getElementById("studio") !== null;
let overviewScroll = 0;

/* One task */

async function taskPage(id) {
  const about = run.tasks.find(task => task.id === id);
  if (!about) return [element("p", {}, `There is no task ${id} in this report. `, element("a", { href: "#" }, "All tasks"))];
  const data = await taskData(id);
  const facts = [about.source ? `found by ${about.source}` : "", about.found !== null ? `after ${duration(about.found)}` : "",
    about.programs ? counted(about.programs, "program") : "", counted(about.generations, "generation"), `${duration(about.seconds)} of work`].filter(Boolean);
  return [
    element("header", {}, element("div", {}, element("h1", {}, "Task ", element("em", {}, id), " ", badge(about)),
      element("p", { class: "about" }, facts.join(" · "))), element("div", { class: "tools" }, steps(id), inStudio ? null : toolbar())),
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
  const facts = [isMiss ? `nearest miss, score ${(program.score / 10).toFixed(1)} %` : `weight ${program.weight.toPrecision(3)}`, `found by ${program.source}`,
    counted(program.calls, "call"), program.unseen === false ? "solves no demonstration that it was not shown" : "", program.root === program.source ? "" : `derived from ${program.root}`].filter(Boolean).join(" · ");
  const body = element("details", { open: i === 0 }, element("summary", {}, element("h2", {}, isMiss ? `Nearest miss ${i + 1}` : `Program ${i + 1}`, " ", element("code", { class: "soft" }, program.digest)), element("span", { class: "soft" }, facts), copyButton(program.text, "copy the program")),
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

/* The details of a task. In the studio, they are requested from the server. */
let taskData = id => unpacked(blocks.get(id).textContent);

/* The views */

const STATUS = { running: "still searching", killed: "ended without notice", finished: "finished" };

/* The parts of the overview that are rebuilt when the run has changed. */
const PARTS = { about, headline, overTime, sources, times, sessions };

function about() {
  return element("p", { class: "about" }, `${STATUS[run.status]} · begun ${when(run.started)}` + (inStudio ? "" : ` · report of ${when(run.made)}`));
}

function part(name) {
  const made = PARTS[name]();
  made.dataset.part = name;
  return made;
}

function overviewPage() {
  return [
    element("header", {}, element("div", {}, element("h1", {}, "Run on ", element("em", {}, run.data)), part("about")), inStudio ? null : toolbar()),
    element("div", { class: "first" }, part("headline"), part("overTime")),
    wall(),
    element("div", { class: "two" }, part("sources"), part("times")), part("sessions"),
    element("p", { class: "soft keys" }, "Keys: / search, arrows move between tasks, Enter opens, Esc goes back, d digits, p patterns."),
    peek,
  ];
}

/* Update the overview without changing the filters, the scroll position and the focus. */
function refresh(found) {
  run = found;
  for (const name of Object.keys(PARTS)) document.querySelector(`[data-part="${name}"]`).replaceWith(part(name));
  const controlled = document.querySelector("#tasks .controls");
  if (!controlled.contains(document.activeElement)) controlled.replaceWith(controls());
  if (!document.activeElement.matches(".tile")) fillWall();
}

async function show() {
  const [, id] = location.hash.match(/^#task\/(.+)$/) || [];
  const parts = id ? await taskPage(decodeURIComponent(id)) : run.empty ? [] : overviewPage();
  document.title = id ? `Task ${decodeURIComponent(id)} · arcloom` : run.empty ? "arcloom run" : `arcloom report: ${run.data}`;
  if ((location.hash.match(/^#task\/(.+)$/) || [])[1] !== id) return;
  hidePeek();
  main.replaceChildren(...frame(id), ...parts, hint);
  if (!id && !run.empty) fillWall();
  main.dataset.view = id ? "task" : "overview";
  window.scrollTo(0, id ? 0 : overviewScroll);
}

/* The header of each page. The studio adds its own parts. */
let frame = () => [];

function moveFocus(by) {
  const all = [...document.querySelectorAll(".tile")];
  const at = all.indexOf(document.activeElement);
  const across = all.filter(one => one.offsetTop === all[0]?.offsetTop).length;
  const next = all[at < 0 ? 0 : at + (Math.abs(by) === 2 ? Math.sign(by) * across : by)];
  next?.focus();
}

const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches("input, select, textarea");
  const inTask = main.dataset.view === "task";
  if (event.key === "Escape") { if (inTask) location.hash = ""; else document.activeElement.blur(); }
  if (isTyping) return;
  if (event.key === "/" && !inTask) { event.preventDefault(); document.getElementById("search")?.focus(); }
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
