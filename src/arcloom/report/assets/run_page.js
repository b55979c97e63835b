/* The page of the studio that starts, shows and stops a search. */
"use strict";

const chosen = { data: remembered("search.data", studio.data[0]), budget: remembered("search.budget", "2m"), hide: remembered("search.hide", "") };
const searchNotice = element("p", { class: "notice soft", role: "status" });

function complain(message) {
  searchNotice.textContent = message;
  searchNotice.className = "notice failure wide";
}

async function control(path, content) {
  try { searchNotice.textContent = ""; setSearch(await ask(path, { content })); await update(); } catch (error) { complain(error.message); }
}

function begin(mode) {
  for (const name of ["data", "budget", "hide"]) store(`search.${name}`, chosen[name]);
  return control("api/search/start", { data: chosen.data, budget: chosen.budget, hide_own: Boolean(chosen.hide), mode });
}

async function openSet(name) {
  try { await ask(`api/tasks?data=${encodeURIComponent(name)}`); } catch (error) { complain(error.message); return false; }
  chosen.data = name;
  searchNotice.textContent = "";
  return true;
}

const idleControls = element("div", { class: "controls" },
  dataChoice(chosen.data, openSet),
  element("label", {}, "for ", element("input", { type: "text", value: chosen.budget, size: 5, id: "budget", "aria-label": "budget, such as 90s, 10m or 2h", oninput: event => { chosen.budget = event.target.value; } })),
  element("label", {}, element("input", { type: "checkbox", id: "hide-own", checked: Boolean(chosen.hide), onchange: event => { chosen.hide = event.target.checked ? "yes" : ""; } }), " hide the bundled program of each task"),
  button("start", () => begin("new"), { id: "start", class: "copy main" }),
  button("continue this run", () => begin("resume"), { id: "resume", class: "copy main" }),
  button("start anew", () => begin("overwrite"), { id: "anew", title: "begins a new run in the same library; the earlier run stays in it" }));
const progress = element("span", { id: "progress" });
const stopButton = button("stop", () => control("api/search/stop", {}), { id: "stop", class: "copy main" });
const searchPanel = element("section", { class: "search-panel" }, idleControls, element("div", { class: "controls busy-controls" }, element("p", { class: "busy" }, element("span", { class: "dot" }), progress), stopButton), searchNotice);

watchSearch(found => {
  idleControls.hidden = found.running;
  searchPanel.querySelector(".busy-controls").hidden = !found.running;
  progress.textContent = found.stopping ? "storing the results …" : `${found.data}: ${found.progress || "starting"}`;
  stopButton.disabled = found.stopping;
  idleControls.querySelector("#start").hidden = found.used;
  for (const id of ["#resume", "#anew"]) idleControls.querySelector(id).hidden = !found.used;
  if (found.problem) complain(found.problem);
});

frame = id => [studioBar("/run"), ...(id ? [] : [searchPanel]), ...(run.empty && !id ? [emptyRun()] : [])];
taskData = id => ask(`api/run/task?id=${encodeURIComponent(id)}`);

function emptyRun() {
  return element("section", { class: "empty" }, element("h2", {}, "No run yet"), element("p", { class: "about" }, "Choose a set of tasks and a time, and press start. The tasks, their answers and the programs appear here while they are found."));
}

/* Read the run again and update the overview. The page of a task is not changed. */
async function update() {
  const found = await ask("api/run");
  if (!found) return;
  const isNew = run.empty || run.data !== found.data || run.started !== found.started;
  if (main.dataset.view !== "overview") run = found;
  else if (isNew) { run = found; tiles.clear(); await show(); } else refresh(found);
}

async function keepUpToDate() {
  const isLive = searching?.running || run.status === "running";
  if (!document.hidden && (isLive || run.empty)) await update().catch(() => {});
  setTimeout(keepUpToDate, POLL);
}

show();
pollSearch();
keepUpToDate();
