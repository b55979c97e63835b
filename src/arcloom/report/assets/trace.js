/* A program with the value of each statement on each sample, and the parts of a task. */
"use strict";

const KEYWORD = /^(def|return|for|in|if|else|lambda|and|or|not|while)$/;

function code(text) {
  const made = element("code", { class: "code" });
  for (const found of text.matchAll(/[A-Za-z_]\w*|\d+|[^\w]+/g)) {
    const kind = kindOf(found[0], text[found.index + found[0].length]);
    made.append(kind ? element("span", { class: kind }, found[0]) : found[0]);
  }
  return made;
}

function kindOf(word, next) {
  if (KEYWORD.test(word)) return "keyword";
  if (/^\d/.test(word) || /^[A-Z][A-Z0-9_]+$/.test(word) || word === "T" || word === "F") return "constant";
  return /^[A-Za-z_]/.test(word) && next === "(" ? "call" : "";
}

const samplesOf = task => [...task.train, ...task.test];
const sampleName = (task, i) => i < task.train.length ? `train ${i + 1}` : `test ${i - task.train.length + 1}`;

/* The table of a trace. `withTask` shows the expected outputs below the inputs, for pages that do not show the task.
   `rows` has the rows of the last trace on the same task by their content; unchanged rows are reused. */
function traceTable(task, trace, { withTask = false, rows = new Map() } = {}) {
  const samples = samplesOf(task), side = samples.length > 5 ? 104 : 132;
  const before = new Map(rows);
  rows.clear();
  const row = (content, make) => {
    const key = JSON.stringify(content);
    rows.set(key, before.get(key) || make());
    return rows.get(key);
  };
  const head = element("tr", {}, element("th", { class: "source" }, "line"),
    ...samples.map((pair, i) => element("th", {}, sampleName(task, i), trace.lines.length && !trace.partial ? verdict(trace, i, pair[1]) : null)));
  const shown = [head, row("input", () => gridRow("input", samples.map(pair => pair[0]), side))];
  if (withTask) shown.push(row("output", () => gridRow("expected output", samples.map(pair => pair[1]), side)));
  trace.lines.forEach((line, at) => {
    const isLast = at === trace.lines.length - 1 && !trace.partial;
    shown.push(row([line, isLast], () => traceRow(samples, line, side, isLast)));
  });
  if (trace.wrong.length) shown.push(row(trace.wrong, () => expectedRow(samples, trace, side)));
  const problem = trace.problem ? element("p", { class: "failure" }, `This program has no static types: ${trace.problem}`) : null;
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `trace of ${trace.name}` }, problem,
    element("table", { class: "trace" }, element("tbody", {}, ...shown)));
}

function gridRow(name, grids, side) {
  return element("tr", {}, element("th", { class: "source" }, name),
    ...grids.map(grid => element("td", {}, grid ? drawn({ grid }, { side }) : element("span", { class: "unknown" }, "?"))));
}

function verdict(trace, i, expected) {
  if (!expected) return null;
  const wrong = trace.wrong.includes(i);
  return element("span", { class: wrong ? "bad" : "good", title: wrong ? "the output is wrong" : "the output is right" }, wrong ? " ✗" : " ✓");
}

function traceRow(samples, line, side, isLast) {
  const type = line.type ? element("span", { class: "type" }, line.type) : null;
  const source = element("th", { class: "source", scope: "row" }, element("span", { class: "number" }, line.number), code(line.text), type);
  if (line.values.every(value => value && value.function !== undefined)) {
    return element("tr", { class: "quiet" }, source, element("td", { colspan: samples.length }));
  }
  const values = line.values.map((value, i) => element("td", {},
    drawn(value, { input: samples[i][0], side, line: line.number, expected: isLast ? samples[i][1] : undefined })));
  return element("tr", {}, source, ...values);
}

function expectedRow(samples, trace, side) {
  return element("tr", { class: "expected" }, element("th", { class: "source" }, "expected output"),
    ...samples.map((pair, i) => element("td", {},
      trace.wrong.includes(i) ? drawn({ grid: pair[1] }, { side }) : element("span", { class: "none" }, pair[1] ? "right" : "unknown"))));
}

function pairFigure(name, pair, side) {
  const output = pair[1] ? drawn({ grid: pair[1] }, { side }) : element("span", { class: "unknown" }, "?");
  return element("figure", { class: "pair" }, element("figcaption", {}, name),
    element("div", {}, drawn({ grid: pair[0] }, { side }), element("span", { class: "arrow" }, "→"), output));
}

function demonstrations(task) {
  return element("div", { class: "pairs" }, ...task.train.map((pair, i) => pairFigure(`train ${i + 1}`, pair, 150)));
}

function tracePage(data) {
  document.title = `arcloom trace: ${data.task.id}`;
  const parts = data.traces.map(trace => element("section", {}, element("h2", {}, trace.name),
    element("p", { class: "about" }, summary(data.task, trace)), traceTable(data.task, trace)));
  return [element("header", {}, element("h1", {}, "Task ", element("em", {}, data.task.id)), toolbar()), ...parts];
}

function summary(task, trace) {
  if (trace.partial) return "traced up to the error";
  const known = samplesOf(task).filter(pair => pair[1]).length;
  return `${known - trace.wrong.length} of ${known} known outputs are right` + (trace.about ? ` · ${trace.about}` : "");
}
