/* The page of `arcloom trace --html`. */
"use strict";

setTheme(settings.theme);
document.getElementById("main").replaceChildren(...tracePage(JSON.parse(document.getElementById("data").textContent)), hint);
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "d") setCells(settings.cells === "digits" ? "plain" : "digits");
  if (event.key === "p") setCells(settings.cells === "patterns" ? "plain" : "patterns");
});
