/* The workbench of the studio: choose a task, write a program, see every line drawn while typing. */
"use strict";

const studio = JSON.parse(document.getElementById("data").textContent);
const state = { data: studio.data[0], tasks: [], task: null, own: null, search: "", request: null };
const words = new Map();
for (const family of studio.language.families) for (const one of family.primitives) words.set(one.name, one);
for (const [name, value] of Object.entries(studio.language.constants)) words.set(name, { name, signature: `${name} = ${JSON.stringify(value)}`, summary: "A constant." });

async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json", "X-Arcloom-Token": studio.token }, body: JSON.stringify(body.content), signal: body.signal };
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function tell(text, isBad = false) {
  notice.textContent = text;
  notice.className = isBad ? "notice failure wide" : "notice soft";
}

/* The parts of the page */

const notice = element("p", { class: "notice soft", role: "status" });
const taskList = element("div", { class: "task-list" });
const source = element("textarea", { id: "source", spellcheck: "false", autocomplete: "off", "aria-label": "program", wrap: "off" });
const gutter = element("pre", { class: "gutter", "aria-hidden": true });
const popup = element("ul", { class: "completions", hidden: true, role: "listbox" });
const signature = element("p", { class: "signature soft" });
const problems = element("ul", { class: "problems" });
const traced = element("section", { id: "traced" });
const drawing = element("section", { id: "drawing", hidden: true });
const searchState = element("span", { class: "soft" });

function layout() {
  const data = element("select", { "aria-label": "tasks of", onchange: event => openData(event.target.value) }, ...studio.data.map(name => element("option", { value: name }, name)));
  const filter = element("input", { type: "search", id: "filter", placeholder: "task id", "aria-label": "search by task id", oninput: event => { state.search = event.target.value; listTasks(); } });
  const button = (text, action, title) => element("button", { type: "button", class: "copy", title, onclick: action }, text);
  return [
    element("header", {}, element("h1", {}, "arcloom ", element("em", {}, "studio")), element("div", { class: "tools" }, element("a", { class: "step", href: "/run" }, "run"), toolbar())),
    element("div", { class: "bench" },
      element("section", { class: "side" }, element("h2", {}, "Tasks"), data, filter, button("draw a task", drawTask), taskList),
      element("div", { class: "work" },
        element("section", { class: "writing" }, element("div", { class: "actions" }, element("h2", { id: "title" }, "Program"),
          button("first difference", firstDifference, "show the first wrong or failing value"), button("save to the library", save)),
          element("div", { class: "editor" }, gutter, source, popup), signature, problems, notice, searchControls(button)),
        drawing, traced)),
    hint,
  ];
}

function searchControls(button) {
  const budget = element("input", { type: "text", value: "2m", size: 5, "aria-label": "budget" });
  const hide = element("input", { type: "checkbox", id: "hide-own" });
  return element("details", { class: "search" }, element("summary", {}, "Search"), element("p", { class: "soft" }, "Searches all tasks of the chosen set. The page ", element("a", { href: "/run" }, "run"), " shows it while it goes on."),
    element("div", { class: "controls" }, budget, element("label", {}, hide, " hide the bundled program of each task"),
      button("start", () => control("api/search/start", { data: state.data, budget: budget.value, hide_own: hide.checked })), button("stop", () => control("api/search/stop", {})), searchState));
}

async function control(path, content) {
  try { showSearch(await ask(path, { content })); } catch (error) { tell(error.message, true); }
}

function showSearch(found) {
  searchState.textContent = found.running ? `searching, results in ${found.folder}` : found.problem || "no search is under way";
}

/* Tasks */

async function openData(name) {
  state.data = name;
  try { state.tasks = (await ask(`api/tasks?data=${encodeURIComponent(name)}`)).tasks; } catch (error) { tell(error.message, true); return; }
  listTasks();
  if (state.tasks.length) openTask(state.tasks[0].id);
}

function listTasks() {
  const text = state.search.trim().toLowerCase();
  const chosen = state.tasks.filter(task => task.id.toLowerCase().includes(text));
  taskList.replaceChildren(...chosen.map(task => element("button", { type: "button", class: "task", "data-id": task.id, "aria-pressed": task.id === state.task?.id, onclick: () => openTask(task.id) },
    canvas({ grid: task.thumbnail }, 36, ""), element("code", {}, task.id))));
}

async function openTask(id) {
  try { choose(await ask(`api/task?data=${encodeURIComponent(state.data)}&id=${encodeURIComponent(id)}`), state.data); } catch (error) { tell(error.message, true); }
}

function choose(task, data) {
  state.task = task;
  state.own = data === null ? task : null;
  drawing.hidden = data !== null;
  popup.hidden = true;
  document.getElementById("title").textContent = `Program for ${task.id}`;
  for (const one of taskList.children) one.setAttribute("aria-pressed", one.dataset.id === task.id);
  const name = /^\w+$/.test(task.id) ? task.id : "own";
  source.value = remembered(`program.${task.id}`, `def solve_${name}(I):\n    O = I\n    return O\n`);
  edited();
}

function drawTask() {
  const task = { id: "own", ...fromArcJson(JSON.parse(remembered("own", '{"train":[{"input":[[0,0,0],[0,1,0],[0,0,0]],"output":[[0,0,0],[0,2,0],[0,0,0]]}],"test":[{"input":[[1,0,0],[0,0,0],[0,0,1]]}]}'))) };
  drawing.replaceChildren(element("h2", {}, "Your task"), taskEditor(task, () => { store("own", JSON.stringify(arcJson(task))); trace(); }));
  choose(task, null);
}

function store(name, value) {
  try { localStorage.setItem("arcloom." + name, value); } catch { /* nothing is kept */ }
}

/* The program */

function edited() {
  if (state.task) store(`program.${state.task.id}`, source.value);
  trace();
}

async function trace() {
  state.request?.abort();
  const request = state.request = new AbortController();
  try {
    const task = { id: state.task.id, ...arcJson(state.task) };
    const found = await ask("api/trace", { content: { source: source.value, task }, signal: request.signal });
    showProblems(found.errors);
    traced.classList.toggle("stale", !found.trace);
    if (found.trace) showTrace(found);
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message, true);
  }
}

function showTrace(found) {
  traced.replaceChildren(element("p", { class: "about" }, `${summary(state.task, found.trace)} · ${Math.round(found.seconds * 1000)} ms`), traceTable(state.task, found.trace));
}

function showProblems(errors) {
  const lines = new Set(errors.map(error => error.line));
  const count = source.value.split("\n").length;
  gutter.replaceChildren(...Array.from({ length: count }, (_, i) => element("span", { class: lines.has(i + 1) ? "wrong" : "" }, `${i + 1}\n`)));
  gutter.scrollTop = source.scrollTop;
  problems.replaceChildren(...errors.map(error => element("li", {}, element("button", { type: "button", class: "problem", onclick: () => goTo(error.line) }, `line ${error.line}: ${error.message}`))));
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
  popup.style.left = Math.min(52 + (before.at(-1).length - word.length) * CHARACTER, Math.max(60, source.clientWidth - 300)) + "px";
}

const LINE_HEIGHT = 20, CHARACTER = 7.85;

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
source.addEventListener("scroll", () => { gutter.scrollTop = source.scrollTop; popup.hidden = true; });
source.addEventListener("blur", () => { popup.hidden = true; });
document.addEventListener("selectionchange", () => { if (document.activeElement === source) showSignature(); });

setTheme(settings.theme);
document.getElementById("main").replaceChildren(...layout());
document.getElementById("main").classList.add("wide");
openData(state.data);
ask("api/search").then(showSearch);
setInterval(() => { if (!document.hidden) ask("api/search").then(showSearch, () => tell("The studio does not answer any more.", true)); }, 4000);
