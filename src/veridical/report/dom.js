"use strict";

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null));
  return node;
}

function foreign(tag, className, text) {
  const node = el(tag, className, text);
  node.dir = "auto";
  return node;
}

function details(summary, ...children) {
  return el("details", "", el("summary", "", summary), ...children);
}

function radio(name, value, checked, change, ...option) {
  const input = el("input");
  input.type = "radio";
  input.name = name;
  input.value = value;
  input.checked = checked;
  input.addEventListener("change", change);
  return el("label", "", input, el("span", "option", ...option));
}

const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

function number(value, signed) {
  const rounded = Math.abs(Math.round(value * 1000) / 1000);
  const sign = value < 0 ? "\u2212" : signed && value > 0 ? "+" : "";
  return sign + rounded.toLocaleString("en", { maximumFractionDigits: 3 });
}

function level(factor, value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? number(value, factor.signed) : String(value);
}

function verdict(outcome) {
  if (!outcome.status) return "unasked";
  if (outcome.status !== "answered") return "failed";
  return outcome.correct === undefined ? "open" : outcome.correct ? "right" : "wrong";
}

const marks = { right: "✓", wrong: "✗", failed: "!", open: "·", unasked: "○" };
const spoken = { right: "right", wrong: "wrong", failed: "no answer", open: "cannot be right or wrong", unasked: "not asked" };

function mark(kind) {
  const node = el("span", `mark ${kind}`, el("span", "", marks[kind]), el("span", "unseen", spoken[kind]));
  node.firstChild.setAttribute("aria-hidden", "true");
  return node;
}

function tally(items) {
  const counts = { right: 0, wrong: 0, failed: 0, open: 0, unasked: 0 };
  for (const item of items)
    for (const question of item.questions)
      for (const outcome of question.outcomes) counts[verdict(outcome)] += 1;
  return counts;
}
