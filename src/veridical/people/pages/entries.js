// Fields that are typed: numbers and texts.

import { element, Widget } from "./dom.js";

const LONGEST = 10000;

export class NumberWidget extends Widget {
  constructor(field, id, { changed }) {
    super();
    this.field = field;
    this.input = element("input", "number");
    Object.assign(this.input, { type: "number", id, step: field.step ?? "any", inputMode: "decimal", autocomplete: "off" });
    if (field.low !== null) this.input.min = field.low;
    if (field.high !== null) this.input.max = field.high;
    this.input.addEventListener("input", changed);
    this.input.setAttribute("aria-label", field.title || "Number");
    const hint = element("span", "hint", [field.unit, this.#range()].filter(Boolean).join(" · "));
    this.node = element("div", "entry", this.input, hint);
  }

  #range() {
    const { low, high, step } = this.field;
    const steps = step === null ? "" : step === 1 ? ", whole numbers" : `, in steps of ${step}`;
    if (low !== null && high !== null) return `${low} to ${high}${steps}`;
    return low !== null ? `${low} or more${steps}` : high !== null ? `at most ${high}${steps}` : "";
  }

  value() {
    return this.input.value === "" ? null : this.input.valueAsNumber;
  }

  set(value) {
    this.input.value = value ?? "";
  }

  problem() {
    const { badInput, rangeUnderflow, rangeOverflow, stepMismatch } = this.input.validity;
    if (!(badInput || rangeUnderflow || rangeOverflow || stepMismatch)) return null;
    return badInput ? "A number is needed." : `${this.#range()} is allowed.`;
  }

  wording(value) {
    return [value, this.field.unit].filter((part) => part !== "").join(" ");
  }
}

export class TextWidget extends Widget {
  keys = [
    [["Ctrl Enter"], "submit from within a text"],
    [["Esc"], "leave a text"],
  ];

  constructor(field, id, { changed }) {
    super();
    this.input = element("textarea");
    Object.assign(this.input, { id, rows: 2, maxLength: LONGEST, dir: "auto" });
    this.input.setAttribute("aria-label", field.title || "Text");
    this.input.addEventListener("input", () => {
      this.#fit();
      changed();
    });
    this.node = this.input;
  }

  #fit() {
    this.input.rows = Math.min(Math.max(2, Math.ceil(this.input.value.length / 70) + this.input.value.split("\n").length - 1), 12);
  }

  value() {
    return this.input.value.trim() ? this.input.value : null;
  }

  set(value) {
    this.input.value = value ?? "";
    this.#fit();
  }
}
