// An item with its fields: what a person states, by which keys, and what is still missing.

import { MARKED, shownBlocks } from "./blocks.js";
import { BoxesWidget } from "./boxes.js";
import { OptionsWidget } from "./choices.js";
import { attributed, button, element, foreign, isTyping, painted } from "./dom.js";
import { NumberWidget, TextWidget } from "./entries.js";
import { IntervalsWidget } from "./intervals.js";
import { Remarks } from "./remarks.js";

const FIXED = ["choice", "tree"];
const CHOSEN = [...FIXED, "codes"];
const PRESSED = "button:not(.name)";

const isEmpty = (value) => value === null || value === "" || (typeof value === "object" && !Object.keys(value).length);

function widgetOf(field, id, shown, acts) {
  if (CHOSEN.includes(field.kind)) return new OptionsWidget(field, id, acts);
  if (field.kind === "number") return new NumberWidget(field, id, acts);
  if (field.kind === "text") return new TextWidget(field, id, acts);
  if (field.kind === "intervals") return new IntervalsWidget(field, shown.frames, acts);
  return new BoxesWidget(field, shown.surface, shown.frames, acts);
}

export class ItemForm {
  /* `acts.submit` gets the answer by field. */
  constructor(screen, acts) {
    Object.assign(this, { screen, acts, painted: false });
    this.shown = shownBlocks(screen.blocks, screen.fields);
    this.rows = screen.fields.map((field, place) => this.#row(field, place));
    this.alone = screen.fields.length === 1 && FIXED.includes(screen.fields[0].kind);
    this.remarks = new Remarks(screen.answer ?? {});
    this.fields = element("div", "fields", ...this.rows.map(({ node }) => node), this.remarks.node);
    this.send = button(screen.again ? "Save the change" : "Submit", "Enter", () => this.submit(), "primary");
    this.node = element("article", "item", ...this.shown.nodes, this.fields, this.#buttons());
    this.#ask();
  }

  #row(field, place) {
    const problem = attributed(element("p", "problem"), { role: "alert" });
    const row = { field, problem };
    const acts = { changed: () => this.#ask(), settled: (byKey) => this.#settled(row, byKey) };
    row.widget = widgetOf(field, `field-${place}`, this.shown, acts);
    row.widget.set(this.screen.answer ? (this.screen.answer[field.name] ?? null) : field.value);
    const optional = field.required ? "" : " (optional)";
    const title = foreign("legend", field.title ? "" : "unseen", `${field.title || "Answer"}${optional}`);
    row.node = element("fieldset", "", title, row.widget.node, problem);
    row.node.dataset.kind = field.kind;
    return row;
  }

  #buttons() {
    const { screen, acts } = this;
    const back = screen.previous ? button("Back", this.#backKey(), acts.back) : null;
    const leave = screen.again ? button("Leave as it is", "Esc", acts.leave) : null;
    const others = [button("Bad question", "?", () => this.remarks.toggleFlag()), button("Note", "m", () => this.remarks.openNote())];
    return element("div", "buttons", this.send, back, leave, element("span", "space"), ...others, button("Keys", "h", acts.help));
  }

  /* An option that begins with b has that key. */
  #backKey() {
    return this.rows.some(({ widget }) => widget.byKey?.has("b") || widget.filter) ? "Backspace" : "b";
  }

  get keys() {
    const own = [...this.shown.players, ...this.rows.map(({ widget }) => widget)].flatMap(({ keys }) => keys);
    const unique = new Map(own.map((row) => [row.flat().join(), row]));
    const rest = [
      [["Enter"], "submit the answer"],
      [["b", "Backspace"], "back to the question before"],
      [["?"], "say that the question is bad"],
      [["m"], "write a note"],
      [["h"], "show these keys"],
    ];
    return [...unique.values(), ...rest];
  }

  /* Shows the fields that are asked, now that something was stated. */
  #ask() {
    for (const row of this.rows ?? []) {
      const { when } = row.field;
      row.asked = !when || this.rows.some(({ field, widget, asked }) => field.name === when[0] && asked && when[1].includes(widget.value()));
      row.node.hidden = !row.asked;
      row.problem.textContent = "";
    }
  }

  #settled(row, byKey) {
    if (this.alone && this.painted && !this.remarks.open) this.submit();
    else if (byKey) (this.#following(row)?.widget ?? this.send).focus();
  }

  /* What is asked because of this answer comes first, then what is empty. */
  #following(row) {
    const later = this.rows.slice(this.rows.indexOf(row) + 1).filter(({ asked }) => asked);
    const caused = later.find(({ field }) => field.when?.[0] === row.field.name);
    return caused ?? later.find(({ widget }) => isEmpty(widget.value())) ?? this.#open()[0];
  }

  #open() {
    return this.rows.filter(({ asked, field, widget }) => asked && field.required && isEmpty(widget.value()));
  }

  answer() {
    const stated = this.rows.filter(({ asked, widget }) => asked && !isEmpty(widget.value()));
    return { ...Object.fromEntries(stated.map(({ field, widget }) => [field.name, widget.value()])), ...this.remarks.value() };
  }

  submit() {
    const wrong = this.rows.find((row) => row.asked && (row.problem.textContent = row.widget.problem() ?? ""));
    const missing = this.remarks.flagged ? null : this.#open()[0];
    if (missing && !wrong) missing.problem.textContent = "An answer is needed.";
    if (wrong ?? missing) (wrong ?? missing).widget.focus();
    else this.acts.submit(this.answer());
  }

  /* Resolves when all that the item shows is painted. */
  async whole() {
    await this.shown.ready;
    await painted();
    this.painted = true;
  }

  focus() {
    const first = this.rows[0];
    if (["number", "text", "boxes"].includes(first?.field.kind)) first.widget.focus();
  }

  key(event) {
    const focused = this.rows.find(({ node }) => node.contains(document.activeElement));
    if (focused?.widget.key(event)) return true;
    const typing = isTyping(event.target);
    if (event.key === "Enter") {
      const own = !event.ctrlKey && (event.target.matches?.(`${PRESSED}, textarea`) ?? false);
      if (!own && !event.repeat) this.submit();
      return !own;
    }
    if (typing) return event.key === "Escape" && this.#leaveText();
    return this.#handlers(focused).some((each) => each.key(event)) || this.#general(event);
  }

  /* Marks and frames first, then the options that are asked next, then a clip that is only played. */
  #handlers(focused) {
    const asked = this.rows.filter((row) => row.asked && row !== focused);
    const chosen = asked.filter(({ field }) => CHOSEN.includes(field.kind));
    const next = chosen.find(({ widget }) => isEmpty(widget.value())) ?? (chosen.length === 1 ? chosen[0] : null);
    const marked = asked.filter(({ field }) => MARKED.includes(field.kind));
    const noneFocused = !focused || !CHOSEN.includes(focused.field.kind);
    const options = next && noneFocused ? [next.widget] : [];
    const { players, frames } = this.shown;
    return [...marked.map(({ widget }) => widget), ...(frames ? [...players, ...options] : [...options, ...players])];
  }

  #leaveText() {
    document.getElementById("screen").focus();
    return true;
  }

  #general(event) {
    const { screen, acts } = this;
    const known = { "?": () => this.remarks.toggleFlag(), m: () => this.remarks.openNote(), h: acts.help };
    if (screen.previous) known.b = known.Backspace = acts.back;
    if (screen.again) known.Escape = acts.leave;
    if (!known[event.key]) return false;
    if (!event.repeat) known[event.key]();
    return true;
  }

  /* After a practice item: what is right, beside what was stated. */
  showRight(right, answer, next) {
    this.fields.inert = true;
    const lines = this.rows.filter(({ field }) => field.name in right).map((row) => compared(row, right[row.field.name], answer[row.field.name]));
    const heading = element("h2", "unseen", "Practice: what is right");
    const feedback = attributed(element("section", "feedback", heading, ...lines), { role: "status" });
    this.node.lastChild.replaceWith(feedback, element("div", "buttons", button("Go on", "Enter", next, "primary")));
    feedback.scrollIntoView({ block: "nearest" });
  }
}

function compared({ field, widget }, right, own) {
  const exact = !MARKED.includes(field.kind) && field.kind !== "text";
  const same = JSON.stringify(own) === JSON.stringify(right);
  const mark = exact ? element("p", same ? "right" : "wrong", same ? "✓ Right" : "✗ Not right") : null;
  const stated = own === undefined ? "nothing" : widget.wording(own);
  const line = (title, text) => element("p", "", title, foreign("b", "", text));
  const title = field.title ? foreign("h3", "", field.title) : null;
  return element("div", "", title, mark, line("Your answer: ", stated), line("Right: ", widget.wording(right)));
}
