/* The parts that the pages of the studio share: requests to the server, the top bar, and the state of the search. */
"use strict";

const studio = JSON.parse(document.getElementById("studio").textContent);
const POLL = 2000;

async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json", "X-Arcloom-Token": studio.token }, body: JSON.stringify(body.content), signal: body.signal };
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const button = (text, action, attributes = {}) => element("button", { type: "button", class: "copy", onclick: action, ...attributes }, text);

function store(name, value) {
  try { localStorage.setItem("arcloom." + name, value); } catch { /* storage may be disabled */ }
}

/* The top bar */

const pill = element("a", { class: "pill", href: "/run", role: "status" });

function studioBar(page) {
  const link = (href, text) => element("a", { href, "aria-current": href === page ? "page" : undefined }, text);
  return element("header", { class: "studio-bar" }, element("strong", { class: "brand" }, "arcloom"), element("nav", { class: "tabs", "aria-label": "pages" }, link("/", "Workbench"), link("/run", "Search")), pill, toolbar());
}

/* Datasets: the bundled ones, those of the command line, and folders opened on this page. */

const folders = () => JSON.parse(remembered("folders", "[]"));
const OTHER = "\u0000";

/* A selector of datasets. `opened` is called with the name of a dataset, and returns whether it could be read. */
function dataChoice(chosen, opened) {
  const path = element("input", { type: "text", placeholder: "folder or file, then Enter", "aria-label": "folder or file of tasks", hidden: true });
  const choice = element("select", { "aria-label": "set of tasks" });
  const fill = value => choice.replaceChildren(...[...new Set([...studio.data, ...folders()])].map(name => element("option", { value: name, selected: name === value }, name)),
    element("option", { value: OTHER }, "open a folder or file …"));
  choice.addEventListener("change", () => {
    path.hidden = choice.value !== OTHER;
    if (choice.value === OTHER) path.focus();
    else opened(choice.value);
  });
  path.addEventListener("keydown", async event => {
    if (event.key !== "Enter" || !path.value.trim()) return;
    const name = path.value.trim();
    if (!await opened(name)) return;
    store("folders", JSON.stringify([...new Set([...folders(), name])]));
    path.hidden = true;
    fill(name);
  });
  fill(chosen);
  return element("span", { class: "data-choice" }, choice, path);
}

/* The search */

let searching = null;
const watchers = [];

/* Call a function with the state of the search, now and after each change. */
function watchSearch(watcher) {
  watchers.push(watcher);
  if (searching) watcher(searching);
}

function setSearch(found) {
  searching = found;
  pill.hidden = !found.running;
  pill.textContent = found.stopping ? "stopping the search" : "searching";
  for (const watcher of watchers) watcher(found);
}

async function pollSearch() {
  if (!document.hidden) await ask("api/search").then(setSearch, () => { pill.hidden = false; pill.textContent = "the studio does not answer any more"; });
  setTimeout(pollSearch, POLL);
}
