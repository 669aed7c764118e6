"use strict";
const LONG_FACT = 60;
const data = JSON.parse(document.getElementById("items-data").textContent);
const dialog = document.getElementById("natural");
const badges = { failed: "not answered", wrong: "wrong answer", disagree: "models disagree" };
const repeated = data.units.some((unit) =>
  unit.pictures.some((picture) => picture.questions.some((q) => q.outcomes.some((o) => o.repeat > 1))));

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

const anchor = (unit) => `unit:${unit.name}`;
const link = (unit) => "#" + encodeURIComponent(anchor(unit));
const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const signed = (a) => (a > 0 ? "+" : a < 0 ? "\u2212" : "") + String(Math.abs(Math.round(a * 1000) / 1000));

function verdict(outcome) {
  if (!outcome.status) return "unasked";
  if (outcome.status !== "answered") return "failed";
  return outcome.right === undefined ? "open" : outcome.right ? "right" : "wrong";
}

const marks = { right: "✓", wrong: "✗", failed: "!", open: "·", unasked: "○" };
const spoken = { right: "right", wrong: "wrong", failed: "no answer", open: "no gold answer", unasked: "not asked" };

function tally(pictures) {
  const counts = { right: 0, wrong: 0, failed: 0, open: 0, unasked: 0 };
  for (const picture of pictures)
    for (const question of picture.questions)
      for (const outcome of question.outcomes) counts[verdict(outcome)] += 1;
  return counts;
}

function mark(kind) {
  const node = el("span", `mark ${kind}`, el("span", "", marks[kind]), el("span", "unseen", spoken[kind]));
  node.firstChild.setAttribute("aria-hidden", "true");
  return node;
}

function reply(outcome) {
  const kind = verdict(outcome);
  const said = el("span", "said");
  if (kind === "failed") said.append(el("span", "status", outcome.status));
  if (kind === "unasked") said.append(el("span", "status", "not asked"));
  if (outcome.answer !== undefined) said.append(foreign("b", "answer", outcome.answer));
  if (data.runs.length > 1) said.append(foreign("span", "run", data.runs[outcome.run]));
  if (repeated) said.append(el("span", "run", `repeat ${outcome.repeat}`));
  if (outcome.reason !== undefined) said.append(foreign("span", "why", outcome.reason));
  const summary = el("span", "line", mark(kind), said);
  if (kind === "unasked") return el("div", "reply bare", summary);
  const node = details(summary, ...replyBody(outcome));
  node.className = "reply";
  return node;
}

function replyBody(outcome) {
  const body = [];
  if (outcome.reasoning !== undefined)
    body.push(el("p", "label", "Reasoning"), foreign("pre", "", outcome.reasoning));
  body.push(el("p", "label", "Reply"));
  body.push(outcome.text ? foreign("pre", "", outcome.text) : el("p", "small", "no text"));
  if (outcome.facts !== undefined) body.push(el("p", "small", outcome.facts));
  return body;
}

function messages(prompt) {
  const node = details("As sent");
  node.className = "messages";
  for (const [role, parts] of prompt) {
    node.append(el("p", "label", role));
    for (const part of parts)
      node.append(part === null ? el("p", "small", "▣ the picture") : foreign("pre", "", part));
  }
  return node;
}

function question(item) {
  const prompt = item.prompt === null ? null : data.prompts[item.prompt];
  const node = el("div", "question");
  if (item.asked !== null) node.append(foreign("p", "wording", item.asked));
  if (prompt === null) node.append(el("p", "small", "The messages of this trial are not at hand."));
  const facts = el("p", "facts");
  for (const setting of item.settings) facts.append(foreign("span", "chip", setting));
  facts.append(
    item.gold === null ? el("span", "gold", "no gold answer") : el("span", "gold", "gold ", foreign("b", "", item.gold)));
  node.append(facts);
  for (const outcome of item.outcomes) node.append(reply(outcome));
  if (prompt) node.append(messages(prompt));
  return node;
}

function openNatural(source, caption) {
  const image = dialog.querySelector("img");
  image.src = source;
  image.alt = caption;
  dialog.querySelector("p").textContent = caption;
  dialog.showModal();
}

function media(picture) {
  return picture.media.map(([source, note]) => {
    if (source === null) return el("p", "placeholder", note);
    const image = el("img");
    image.alt = `${picture.variant}, ${picture.id}`;
    image.loading = "lazy";
    image.decoding = "async";
    if (picture.media.length === 1) {
      image.width = picture.width;
      image.height = picture.height;
    }
    image.src = source;
    const button = el("button", "zoom", image);
    button.type = "button";
    button.title = "Open in natural size";
    button.addEventListener("click", () => openNatural(source, picture.id));
    return button;
  });
}

function fact([name, truth, measured]) {
  const told = measured !== null && (measured !== truth || !Number.isNaN(Number(measured)));
  const value = [truth, told ? `measured ${measured}` : null].filter((part) => part !== null);
  return el("p", "", foreign("span", "name", name), " ", foreign("span", "", value.join(" · ")));
}

function measurements(facts) {
  const long = ([, truth, measured]) => Math.max(truth?.length ?? 0, measured?.length ?? 0) > LONG_FACT;
  const node = el("div", "measurements", ...facts.filter((item) => !long(item)).map(fact));
  const rest = facts.filter(long);
  if (rest.length) node.append(details(rest.map(([name]) => name).join(", "), ...rest.map(fact)));
  return node;
}

function card(picture) {
  const label = el("p", "variant", foreign("b", "", picture.variant));
  if (picture.title !== undefined) label.append(foreign("span", "title", picture.title));
  if (picture.alpha !== undefined) label.append(el("span", "chip", `α ${signed(picture.alpha)}`));
  if (picture.congruent !== undefined)
    label.append(el("span", "chip", picture.congruent ? "congruent" : "opposing"));
  if (picture.side !== undefined) label.append(foreign("span", "chip", picture.side));
  return el("article", "card", label, el("div", "media", ...media(picture)), foreign("p", "id", picture.id),
    measurements(picture.facts ?? []), ...picture.questions.map(question));
}

function byVariant(pictures) {
  const columns = new Map();
  for (const picture of pictures) {
    if (!columns.has(picture.variant)) columns.set(picture.variant, []);
    columns.get(picture.variant).push(picture);
  }
  return columns;
}

const strengths = (pictures) => [...new Set(pictures.map((picture) => picture.alpha))];
const trouble = (pictures) => {
  const counts = tally(pictures);
  return counts.wrong + counts.failed;
};

function panel(unit) {
  const columns = byVariant(unit.pictures);
  const graded = [...columns.values()].filter((pictures) => strengths(pictures).length > 1);
  const levels = [...new Set(graded.flatMap(strengths).filter((alpha) => alpha !== undefined))].sort((a, b) => a - b);
  const at = (level) => graded.flat().filter((picture) => picture.alpha === level);
  const grid = el("div", "columns");
  function show(level) {
    const cells = [...columns.values()].map((pictures) => {
      const shown = graded.includes(pictures)
        ? pictures.filter((picture) => picture.alpha === level || picture.alpha === undefined)
        : pictures;
      if (shown.length) return el("div", "column", ...shown.map(card));
      return el("div", "column", el("p", "variant", foreign("b", "", pictures[0].variant)),
        el("p", "placeholder", `no picture at α ${signed(level)}`));
    });
    align(cells);
    grid.replaceChildren(...cells);
  }
  const first = levels.reduce((best, level) => (trouble(at(level)) >= trouble(at(best)) ? level : best), levels[0]);
  show(first);
  return levels.length ? [levelPicker(unit, levels, first, at, show), grid] : [grid];
}

function align(columns) {
  const rows = Math.max(...columns.map((column) => (column.children.length === 1 ? column.firstChild.children.length : 1)));
  for (const column of columns) {
    column.style.gridRow = `span ${rows}`;
    column.classList.toggle("aligned", column.children.length === 1);
  }
}

function levelPicker(unit, levels, first, at, show) {
  const group = el("fieldset", "choice levels", el("legend", "", "strength α"));
  for (const level of levels) {
    const counts = tally(at(level));
    const seen = ["wrong", "failed", "right"].find((kind) => counts[kind]) ?? "unasked";
    const number = seen === "wrong" || seen === "failed" ? ` ${counts[seen]}` : "";
    const input = el("input");
    input.type = "radio";
    input.name = anchor(unit);
    input.checked = level === first;
    input.addEventListener("change", () => show(level));
    const sign = el("span", `mark ${seen}`, marks[seen] + number);
    sign.setAttribute("aria-hidden", "true");
    const option = el("label", "", input, el("span", "option", el("span", "", signed(level)), sign));
    option.title = `${counts.right} right, ${counts.wrong} wrong, ${counts.failed} not answered`;
    group.append(option);
  }
  return group;
}

function section(unit) {
  const title = el("h3", "", foreign("span", "family", unit.family), " ", foreign("code", "", unit.name));
  const self = el("a", "permalink", "#");
  self.href = link(unit);
  self.setAttribute("aria-label", `Link to ${unit.name}`);
  title.append(" ", self);
  const flags = unit.flags.map((flag) => el("span", `badge ${flag}`, badges[flag]));
  const node = el("section", "unit", el("div", "unit-head", title, el("p", "badges", ...flags)), ...panel(unit));
  node.id = anchor(unit);
  return node;
}
