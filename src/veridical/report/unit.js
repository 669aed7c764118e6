const LONG_FACT = 60;
const badges = { split: "judges disagree", failed: "not answered", wrong: "wrong answer", disagree: "models disagree" };

const anchor = (page, unit) => `${page.prefix}unit:${unit.name}`;
const link = (page, unit) => "#" + encodeURIComponent(anchor(page, unit));

const answerText = (page, answer) => (Object.hasOwn(page.data.answers, answer) ? page.data.answers[answer] : answer);
const familyText = (page, family) => (Object.hasOwn(page.data.families, family) ? page.data.families[family] : family);

function scores(outcome) {
  return (outcome.scores ?? []).map(([name, value, range]) => {
    const chip = el("span", "chip score", foreign("span", "", name), " ", el("b", "", value));
    if (range) chip.append(el("span", "range", ` of ${range}`));
    return chip;
  });
}

function reply(page, outcome) {
  const kind = verdict(outcome);
  const said = el("span", "said");
  if (kind === "failed") said.append(el("span", "status", outcome.status));
  if (kind === "unasked") said.append(el("span", "status", "not asked"));
  const marks = outcome.scores !== undefined && outcome.answer?.startsWith("{"); // said by the scores
  if (outcome.answer !== undefined && !marks) said.append(foreign("b", "answer", answerText(page, outcome.answer)));
  said.append(...scores(outcome));
  if (page.data.runs.length > 1) said.append(foreign("span", "run", page.data.runs[outcome.run]));
  if (page.repeated) said.append(el("span", "run", `repeat ${outcome.repeat}`));
  if (outcome.reason !== undefined) said.append(foreign("span", "why", outcome.reason));
  const summary = el("span", "line", mark(kind), said);
  if (kind === "unasked") return el("div", "reply bare", summary);
  const node = details(summary, ...replyBody(outcome));
  node.className = "reply";
  if (outcome.lit !== undefined) {
    node.dataset.lit = JSON.stringify(outcome.lit);
    node.addEventListener("toggle", () => light(node.closest(".card")));
  }
  return node;
}

/* A text, or its parts in order: text, or a passage with what it is marked for. */
function prose(parts) {
  if (typeof parts === "string") return foreign("pre", "", parts);
  const node = foreign("pre", "", "");
  let last = "";
  for (const part of parts) {
    if (typeof part === "string") {
      node.append(part);
      continue;
    }
    const [text, title, shade] = part;
    const passage = el("mark", shade ?? "", text);
    passage.title = title;
    node.append(passage);
    if (title && title !== last) node.append(el("span", shade ? `tag ${shade}` : "tag", title));
    last = title;
  }
  return node;
}

function replyBody(outcome) {
  const body = [];
  if (outcome.reasoning !== undefined)
    body.push(el("p", "label", "Reasoning"), prose(outcome.reasoning));
  body.push(el("p", "label", "Reply"));
  body.push(outcome.text ? prose(outcome.text) : el("p", "small", "no text"));
  if (outcome.facts !== undefined) body.push(el("p", "small", outcome.facts));
  return body;
}

function messages(data, item, prompt) {
  const node = details("As sent");
  node.className = "messages";
  for (const [role, parts] of prompt) {
    node.append(el("p", "label", role));
    for (const part of parts)
      node.append(typeof part === "number" ? sentMedium(data, item, part) : foreign("pre", "", part));
  }
  return node;
}

function question(page, item, asked) {
  const prompt = asked.prompt === null ? null : page.data.prompts[asked.prompt];
  const node = el("div", "question");
  if (asked.asked !== null) node.append(foreign("p", "wording", asked.asked));
  if (prompt === null) node.append(el("p", "small", "The messages of this trial are not at hand."));
  const facts = el("p", "facts");
  for (const setting of asked.settings) facts.append(foreign("span", "chip", setting));
  facts.append(
    asked.gold === null ? el("span", "gold", "no right answer") : el("span", "gold", "right answer ", foreign("b", "", answerText(page, asked.gold))));
  node.append(facts);
  for (const outcome of asked.outcomes) node.append(reply(page, outcome));
  if (prompt) node.append(messages(page.data, item, prompt));
  return node;
}

function fact([name, truth, measured]) {
  const apart = measured !== null && (measured !== truth || !Number.isNaN(Number(measured)));
  const value = [truth, apart ? `measured ${measured}` : null].filter((part) => part !== null);
  return el("p", "", foreign("span", "name", name), " ", foreign("span", "", value.join(" · ")));
}

function measurements(facts) {
  const long = ([, truth, measured]) => Math.max(truth?.length ?? 0, measured?.length ?? 0) > LONG_FACT;
  const node = el("div", "measurements", ...facts.filter((item) => !long(item)).map(fact));
  const rest = facts.filter(long);
  if (rest.length) node.append(details(rest.map(([name]) => name).join(", "), ...rest.map(fact)));
  return node;
}

function card(page, item) {
  const label = el("p", "variant", foreign("b", "", item.variant));
  if (item.title !== undefined) label.append(foreign("span", "title", item.title));
  if (item.category !== undefined) label.append(foreign("span", "chip", item.category));
  for (const factor of page.data.factors)
    if (Object.hasOwn(item.factors, factor.name))
      label.append(foreign("span", "chip", `${factor.title} ${level(factor, item.factors[factor.name])}`));
  return el("article", "card", label, media(page.data, item), foreign("p", "id", item.id),
    measurements(item.facts ?? []), ...item.questions.map((asked) => question(page, item, asked)));
}

function byVariant(items) {
  const columns = new Map();
  for (const item of items) {
    if (!columns.has(item.variant)) columns.set(item.variant, []);
    columns.get(item.variant).push(item);
  }
  return [...columns.values()];
}

const trouble = (items) => {
  const counts = tally(items);
  return counts.wrong + counts.failed;
};

/* The first factor that is a number and takes several values within one variant, where all items are of one category. */
function grading(page, unit, columns) {
  if (unit.mixed) return null;
  for (const factor of page.data.factors.filter((each) => each.number)) {
    const levels = (items) => [...new Set(items.map((item) => item.factors[factor.name]))];
    const graded = columns.filter((items) => levels(items).length > 1);
    if (graded.length) return { factor, graded, levels };
  }
  return null;
}

function panel(page, unit) {
  const columns = byVariant(unit.items);
  const grade = grading(page, unit, columns);
  const grid = el("div", "columns");
  if (!grade) {
    const apart = columns.length > 1 ? columns : unit.items.map((item) => [item]);
    fill(grid, apart.map((items) => el("div", "column", ...items.map((item) => card(page, item)))));
    return [grid];
  }
  const { factor, graded, levels } = grade;
  const value = (item) => item.factors[factor.name];
  const steps = [...new Set(graded.flatMap(levels).filter((step) => step !== undefined))].sort((a, b) => a - b);
  const at = (step) => graded.flat().filter((item) => value(item) === step);
  function show(step) {
    fill(grid, columns.map((items) => {
      const shown = graded.includes(items)
        ? items.filter((item) => value(item) === step || value(item) === undefined)
        : items;
      if (shown.length) return el("div", "column", ...shown.map((item) => card(page, item)));
      return el("div", "column", el("p", "variant", foreign("b", "", items[0].variant)),
        foreign("p", "placeholder", `no item at ${factor.title} ${level(factor, step)}`));
    }));
  }
  const first = steps.reduce((best, step) => (trouble(at(step)) >= trouble(at(best)) ? step : best), steps[0]);
  show(first);
  return [levelPicker(page, unit, factor, steps, first, at, show), grid];
}

function fill(grid, columns) {
  const rows = Math.max(...columns.map((column) => (column.children.length === 1 ? column.firstChild.children.length : 1)));
  for (const column of columns) {
    column.style.gridRow = `span ${rows}`;
    column.classList.toggle("aligned", column.children.length === 1);
  }
  grid.replaceChildren(...columns);
}

function levelPicker(page, unit, factor, steps, first, at, show) {
  const group = el("fieldset", "choice levels", foreign("legend", "", factor.title));
  for (const step of steps) {
    const counts = tally(at(step));
    const seen = ["wrong", "failed", "right", "open"].find((kind) => counts[kind]) ?? "unasked";
    const many = seen === "wrong" || seen === "failed" ? ` ${counts[seen]}` : "";
    const sign = el("span", `mark ${seen}`, marks[seen] + many);
    sign.setAttribute("aria-hidden", "true");
    const option = radio(anchor(page, unit), step, step === first, () => show(step), el("span", "", level(factor, step)), sign);
    option.title = `${counts.right} right, ${counts.wrong} wrong, ${counts.failed} not answered`;
    group.append(option);
  }
  return group;
}

function section(page, unit) {
  const title = el(`h${page.level}`, "", foreign("span", "family", familyText(page, unit.family)), " ", foreign("code", "", unit.name));
  const self = el("a", "permalink", "#");
  self.href = link(page, unit);
  self.setAttribute("aria-label", `Link to ${unit.name}`);
  title.append(" ", self);
  const flags = unit.flags.map((flag) => el("span", `badge ${flag}`, badges[flag]));
  const node = el("section", "unit", el("div", "unit-head", title, el("p", "badges", ...flags)), ...panel(page, unit));
  node.id = anchor(page, unit);
  return node;
}
