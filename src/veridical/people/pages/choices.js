// Fields whose answers are options: one of them, any number of them, or one of a tree.

import { element, foreign, isTyping, keyCap, Widget } from "./dom.js";

const FILTERED_FROM = 10;

/* The keys of each option: its value where that is one character, else its number; and, where letters are no filter,
the first letter of its title. */
function optionKeys(options, lettered) {
  const keys = new Map();
  for (const option of options) if (/^[a-z0-9]$/i.test(option.value)) keys.set(option.value.toLowerCase(), option);
  if (![...keys.keys()].some((key) => key >= "0" && key <= "9")) options.slice(0, 9).forEach((option, place) => keys.set(`${place + 1}`, option));
  const first = ({ title }) => [...title.toLowerCase()][0];
  for (const option of lettered ? options : []) {
    const unique = options.filter((other) => first(other) === first(option)).length === 1;
    if (unique && !keys.has(first(option))) keys.set(first(option), option);
  }
  return keys;
}

const titleOf = (field, value) => field.options.find((option) => option.value === value)?.title ?? String(value);

export class OptionsWidget extends Widget {
  /* `settled` is called when a choice is made by a key, or by a pointer, that ends the field. */
  constructor(field, id, { changed, settled }) {
    super();
    Object.assign(this, { field, settled, changed, several: field.kind === "codes", tree: field.kind === "tree" });
    this.rows = field.options.map((option, place) => this.#row(option, `${id}-${place}`, id));
    this.list = element("div", this.tree ? "options tree" : "options", ...this.#grouped());
    this.filter = this.tree && this.rows.length >= FILTERED_FROM ? this.#filterInput() : null;
    this.node = element("div", "", this.filter, this.list);
    this.#name();
  }

  get keys() {
    const letters = this.visible().some(({ badge }) => /^[a-z]$/i.test(badge.textContent));
    const choose = this.filter ? "choose an answer" : "choose an answer; its first letter does too";
    const rows = [[[letters ? "A …" : "1 … 9"], this.several ? "set or unset an answer" : choose]];
    return this.filter ? [...rows, [["letters"], "filter the answers"]] : rows;
  }

  #row(option, id, name) {
    const input = element("input");
    Object.assign(input, { type: this.several ? "checkbox" : "radio", name, id });
    const badge = keyCap("");
    const help = option.help ? foreign("span", "help", option.help) : null;
    const label = element("label", "option", input, badge, element("span", "", foreign("span", "", option.title), help));
    label.htmlFor = id;
    input.addEventListener("change", () => this.changed());
    input.addEventListener("click", (event) => event.detail > 0 && !this.several && this.settled(false));
    return { option, input, badge, label };
  }

  #grouped() {
    const groups = new Map();
    for (const row of this.rows) {
      const branch = row.option.branch.join(" › ");
      if (!groups.has(branch)) groups.set(branch, []);
      groups.get(branch).push(row);
    }
    return [...groups].map(([branch, rows]) => {
      const heading = branch ? foreign("p", "branch", branch) : null;
      return element("div", "group", heading, ...rows.map(({ label }) => label));
    });
  }

  #filterInput() {
    const input = element("input", "filter");
    Object.assign(input, { type: "search", placeholder: "Type to filter", autocomplete: "off" });
    input.setAttribute("aria-label", `Filter: ${this.field.title || "options"}`);
    input.addEventListener("input", () => this.#narrow(input.value));
    return input;
  }

  #narrow(typed) {
    const wanted = typed.toLowerCase().split(/\s+/);
    for (const { option, label } of this.rows) {
      const text = [option.title, ...option.branch].join(" ").toLowerCase();
      label.hidden = !wanted.every((word) => text.includes(word));
    }
    for (const group of this.list.children) group.hidden = [...group.querySelectorAll("label")].every((label) => label.hidden);
    this.#name();
  }

  visible() {
    return this.rows.filter(({ label }) => !label.hidden);
  }

  /* Each visible option is given its keys, of which it shows the first. */
  #name() {
    this.byKey = optionKeys(
      this.visible().map(({ option }) => option),
      !this.filter,
    );
    for (const { option, badge } of this.rows) {
      badge.textContent = [...this.byKey].find(([, own]) => own === option)?.[0].toUpperCase() ?? "";
      badge.hidden = !badge.textContent;
    }
  }

  key(event) {
    if (event.target === this.filter) return this.#filterKey(event);
    if (this.filter && /^\p{L}$/u.test(event.key)) {
      this.filter.focus();
      return false; // the letter itself goes into the filter
    }
    return this.#choose(this.byKey.get(event.key.toLowerCase()), event);
  }

  #filterKey(event) {
    if (event.key === "Enter" && this.filter.value) return this.#choose(this.visible()[0]?.option, event);
    return /^\d$/.test(event.key) && this.#choose(this.byKey.get(event.key), event);
  }

  #choose(option, event) {
    if (!option) return false;
    if (event.repeat) return true;
    const { input } = this.rows.find((row) => row.option === option);
    input.checked = this.several ? !input.checked : true;
    if (!isTyping(event.target) || !this.several) input.focus();
    this.changed();
    if (!this.several) this.settled(true);
    return true;
  }

  value() {
    const chosen = this.rows.filter(({ input }) => input.checked).map(({ option }) => option.value);
    return this.several ? chosen : (chosen[0] ?? null);
  }

  set(value) {
    const chosen = this.several ? (value ?? []) : [value];
    for (const { option, input } of this.rows) input.checked = chosen.includes(option.value);
  }

  wording(value) {
    if (!this.several) return titleOf(this.field, value);
    return value.map((each) => titleOf(this.field, each)).join(", ") || "none";
  }

  focus() {
    (this.filter ?? (this.rows.find(({ input }) => input.checked) ?? this.rows[0])?.input)?.focus();
  }
}
