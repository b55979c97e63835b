/* Drawings of values: grids, cells on the input, rows of values, text. No text is parsed as HTML. */
"use strict";

const NARROW_CELL = 3, WIDE_CELL = 26, THUMBNAIL = 60, LABELLED_CELL = 11, POSITION = "#b9c1ff";
const settings = { cells: remembered("cells", "plain"), theme: remembered("theme", "auto") };
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting && entry.target.mode !== settings.cells) paint(entry.target);
}, { rootMargin: "300px" });

function remembered(name, otherwise) {
  try { return localStorage.getItem("arcloom." + name) || otherwise; } catch { return otherwise; }
}

function remember(name, value) {
  settings[name] = value;
  try { localStorage.setItem("arcloom." + name, value); } catch { /* files may have no storage */ }
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") made.style.cssText = value;
    else made.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  made.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return made;
}

const cell = (grid, i, j) => typeof grid[i] === "string" ? grid[i].charCodeAt(j) - 48 : grid[i][j];
const colourOf = number => number >= 0 && number < PALETTE.length ? PALETTE[number] : STRANGE;

function contrast(colour) {
  const [red, green, blue] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  return 0.3 * red + 0.6 * green + 0.1 * blue > 110 ? "#000" : "#fff";
}

/* A canvas that is painted when it becomes visible. A spec has a grid, or cells over a faint grid, and marked cells. */
function canvas(spec, side, label) {
  const box = extent(spec);
  const least = side < THUMBNAIL ? 1 : NARROW_CELL;
  const size = Math.max(least, Math.min(WIDE_CELL, Math.floor(side / Math.max(box.height, box.width))));
  const made = element("canvas", { role: "img", "aria-label": label || describe(spec, box) });
  made.drawn = { spec, box, plain: size, labelled: side < THUMBNAIL ? size : Math.max(size, LABELLED_CELL) };
  resize(made);
  watcher.observe(made);
  return made;
}

/* Cells with digits or patterns must be large enough to read them. */
function resize(target) {
  const { box, plain, labelled } = target.drawn;
  const size = target.drawn.size = settings.cells === "plain" ? plain : labelled;
  target.style.width = box.width * size + 1 + "px";
  target.style.height = box.height * size + 1 + "px";
}

function extent({ grid, cells }) {
  const height = grid ? grid.length : 0, width = grid && grid.length ? grid[0].length : 0;
  const box = { top: 0, left: 0, bottom: height, right: width };
  for (const [i, j] of cells || []) {
    box.top = Math.min(box.top, i); box.bottom = Math.max(box.bottom, i + 1);
    box.left = Math.min(box.left, j); box.right = Math.max(box.right, j + 1);
  }
  return { ...box, height: Math.max(1, box.bottom - box.top), width: Math.max(1, box.right - box.left) };
}

function describe({ cells }, box) {
  return cells ? `${cells.length} cells` : `grid of ${box.height} rows and ${box.width} columns`;
}

function paint(target) {
  const { spec, box, size } = target.drawn;
  const ratio = window.devicePixelRatio || 1;
  target.width = Math.round((box.width * size + 1) * ratio);
  target.height = Math.round((box.height * size + 1) * ratio);
  target.mode = settings.cells;
  const context = target.getContext("2d");
  context.scale(ratio, ratio);
  context.imageSmoothingEnabled = false;
  const place = (i, j) => [(j - box.left) * size, (i - box.top) * size];
  const line = size >= 5 ? 1 : 0;
  if (spec.grid?.length) paintGrid(context, spec, place(0, 0), size);
  if (line) paintLines(context, box, size, spec.cells ? "rgba(128,128,128,.22)" : GRID_LINE);
  if (spec.grid && !spec.cells && size >= 7) labelGrid(context, spec.grid, place, size, line);
  for (const [i, j, colour] of spec.cells || []) {
    fill(context, place(i, j), size, line, colour);
    if (size >= 6) outline(context, place(i, j), size);
  }
  for (const [i, j] of spec.marks || []) mark(context, place(i, j), size);
}

/* The cells of a grid as an image with one pixel per cell. Scaling it up is much faster than drawing cells. */
const images = new WeakMap();

function imageOf(grid) {
  if (images.has(grid)) return images.get(grid);
  const height = grid.length, width = grid[0].length, made = element("canvas", { width, height });
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) {
    const colour = colourOf(cell(grid, i, j));
    pixels.data.set([1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16)).concat(255), 4 * (i * width + j));
  }
  made.getContext("2d").putImageData(pixels, 0, 0);
  images.set(grid, made);
  return made;
}

function paintGrid(context, { grid, cells }, [x, y], size) {
  context.globalAlpha = cells ? 0.12 : 1;
  context.drawImage(imageOf(grid), x, y, grid[0].length * size, grid.length * size);
  context.globalAlpha = 1;
}

function paintLines(context, box, size, colour) {
  context.fillStyle = colour;
  for (let i = 0; i <= box.height; i++) context.fillRect(0, i * size, box.width * size + 1, 1);
  for (let j = 0; j <= box.width; j++) context.fillRect(j * size, 0, 1, box.height * size + 1);
}

/* Digits or patterns in the cells of a grid. If both are off, only numbers that are no colours are written. */
function labelGrid(context, grid, place, size, line) {
  for (let i = 0; i < grid.length; i++) for (let j = 0; j < grid[i].length; j++) {
    const number = cell(grid, i, j);
    if (settings.cells !== "plain" || colourOf(number) === STRANGE) label(context, place(i, j), size, line, number);
  }
}

function label(context, [x, y], size, line, number) {
  const colour = number === null ? POSITION : colourOf(number), inner = size - line;
  if (number === null) position(context, x + line, y + line, inner);
  else if (settings.cells === "digits" || colour === STRANGE) digit(context, x + line, y + line, inner, number, colour);
  else if (settings.cells === "patterns") pattern(context, x + line, y + line, inner, number, colour);
}

function fill(context, [x, y], size, line, number) {
  context.fillStyle = number === null ? POSITION : colourOf(number);
  context.fillRect(x + line, y + line, size - line, size - line);
  if (size >= 7) label(context, [x, y], size, line, number);
}

function outline(context, [x, y], size) {
  context.strokeStyle = "rgba(0,0,0,.55)";
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, size, size);
}

/* A position, which has no colour, is drawn as a cell with a cross. */
function position(context, x, y, size) {
  if (size < 11) return;
  context.strokeStyle = "#3b49b8";
  context.lineWidth = Math.max(1, size / 9);
  context.beginPath();
  context.moveTo(x + size * 0.28, y + size * 0.28); context.lineTo(x + size * 0.72, y + size * 0.72);
  context.moveTo(x + size * 0.72, y + size * 0.28); context.lineTo(x + size * 0.28, y + size * 0.72);
  context.stroke();
}

function digit(context, x, y, size, number, colour) {
  context.fillStyle = contrast(colour);
  context.globalAlpha = number === 0 ? 0.4 : 1;
  context.font = `600 ${Math.round(size * 0.72)}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(number), x + size / 2, y + size / 2 + size * 0.05, size);
  context.globalAlpha = 1;
}

/* One pattern for each colour: strokes from and to points in a unit square, or dots. */
const PATTERNS = {
  1: [[0, 0, 1, 1]], 2: [[0, 1, 1, 0]], 3: [[0, .5, 1, .5]], 4: [[.5, 0, .5, 1]], 5: [[.5, .5, .5, .5]],
  6: [[0, 0, 1, 1], [0, 1, 1, 0]], 7: [[.5, 0, .5, 1], [0, .5, 1, .5]], 8: [[0, .25, 1, .25], [0, .75, 1, .75]],
  9: [[.25, 0, .25, 1], [.75, 0, .75, 1]],
};

function pattern(context, x, y, size, number, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, size, size);
  context.clip();
  context.strokeStyle = contrast(colour);
  context.globalAlpha = 0.75;
  context.lineCap = "round";
  for (const [fromX, fromY, toX, toY] of PATTERNS[number] || []) {
    context.lineWidth = fromX === toX && fromY === toY ? size / 2.6 : Math.max(1, size / 9);
    context.beginPath();
    context.moveTo(x + fromX * size, y + fromY * size);
    context.lineTo(x + toX * size + 0.01, y + toY * size);
    context.stroke();
  }
  context.restore();
}

function mark(context, [x, y], size) {
  const wide = Math.max(1, Math.round(size / 13));
  context.lineWidth = wide;
  context.strokeStyle = "#fff";
  context.strokeRect(x + 1 + wide * 1.5, y + 1 + wide * 1.5, size - 1 - wide * 3, size - 1 - wide * 3);
  context.strokeStyle = "#e5004d";
  context.strokeRect(x + 1 + wide / 2, y + 1 + wide / 2, size - 1 - wide, size - 1 - wide);
}

function repaint() {
  for (const one of document.querySelectorAll("canvas")) {
    if (!one.drawn) continue;
    resize(one);
    if (one.mode !== undefined) paint(one);
  }
}

/* The cells of an output that differ from the expected grid. */
function differences(grid, expected) {
  const found = [];
  if (!expected) return found;
  for (let i = 0; i < grid.length; i++) for (let j = 0; j < grid[i].length; j++) {
    const inside = i < expected.length && j < expected[i].length;
    if (!inside || cell(grid, i, j) !== cell(expected, i, j)) found.push([i, j]);
  }
  return found;
}

const sameGrid = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sizeOf = grid => `${grid.length}×${grid[0].length}`;

/* The drawing of a value in the form of encode.py. A failure is explained only at the line that failed. */
function drawn(value, { input, side = 132, expected, line } = {}) {
  if (value === null) return element("span", { class: "none", title: "not computed" }, "–");
  if (value.grid) {
    const marks = expected ? differences(value.grid, expected) : [];
    const wrong = expected && (marks.length || sizeOf(expected) !== sizeOf(value.grid));
    const shown = canvas({ grid: value.grid, marks }, side);
    return element("span", { class: wrong ? "value wrong" : "value", title: sizeOf(value.grid) }, shown);
  }
  if (value.cells) return element("span", { class: "value" }, canvas({ grid: input, cells: value.cells }, side));
  if (value.items) {
    const more = value.count - value.items.length;
    const items = value.items.map(item => drawn(item, { input, side: Math.max(46, side * 0.42) }));
    return element("span", { class: "items" }, ...items, more ? element("span", { class: "more" }, `+${more}`) : null);
  }
  if (value.failure !== undefined) {
    if (line !== undefined && value.line !== line) return element("span", { class: "none", title: value.failure }, `✗ line ${value.line}`);
    return element("span", { class: "failure" }, line === undefined ? `✗ line ${value.line}: ${value.failure}` : `✗ ${value.failure}`);
  }
  if (value.function !== undefined) return element("code", { class: "function" }, value.function);
  return element("code", { class: "text" }, value.text);
}

/* The tooltip for the cell under the pointer. */
const hint = element("div", { class: "hint", hidden: true });

document.addEventListener("pointermove", event => {
  const over = event.target;
  if (!(over instanceof HTMLCanvasElement) || !over.drawn) { hint.hidden = true; return; }
  const { spec, box, size } = over.drawn;
  const bounds = over.getBoundingClientRect();
  const i = Math.floor((event.clientY - bounds.top) / size) + box.top;
  const j = Math.floor((event.clientX - bounds.left) / size) + box.left;
  const found = (spec.cells || []).find(one => one[0] === i && one[1] === j);
  const below = spec.grid && spec.grid[i] !== undefined && j >= 0 && j < spec.grid[i].length;
  const colour = found ? found[2] : below ? cell(spec.grid, i, j) : null;
  hint.textContent = `row ${i}, column ${j}` + (colour === null ? "" : `: ${colour}`);
  hint.hidden = false;
  hint.style.left = Math.min(event.clientX + 14, innerWidth - 150) + "px";
  hint.style.top = event.clientY + 16 + "px";
});

function setCells(mode) {
  remember("cells", mode);
  for (const button of document.querySelectorAll("[data-cells]")) {
    button.setAttribute("aria-pressed", button.dataset.cells === mode);
  }
  repaint();
}

function setTheme(theme) {
  remember("theme", theme);
  document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", button.dataset.themeChoice === theme);
  }
}

function toolbar() {
  const cells = ["plain", "digits", "patterns"].map(mode => element("button", {
    type: "button", "data-cells": mode, "aria-pressed": settings.cells === mode, onclick: () => setCells(mode),
    title: { plain: "colours only", digits: "a digit in each cell (d)", patterns: "a pattern for each colour (p)" }[mode],
  }, mode));
  const themes = ["auto", "light", "dark"].map(theme => element("button", {
    type: "button", "data-theme-choice": theme, "aria-pressed": settings.theme === theme, onclick: () => setTheme(theme),
  }, theme));
  return element("div", { class: "toolbar" },
    element("span", { class: "segments", role: "group", "aria-label": "cells" }, ...cells),
    element("span", { class: "segments", role: "group", "aria-label": "theme" }, ...themes));
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), one => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
