// What may be stated of every item besides its fields: that its question is bad, and a note.

import { element } from "./dom.js";

const BAD = "bad question";

export class Remarks {
  constructor({ flag = "", note = "" }) {
    this.flagged = Boolean(flag);
    this.flag = this.#text("What is wrong with this question? (optional)", flag === BAD ? "" : flag);
    this.note = this.#text("Note", note);
    this.node = element("div", "remarks", this.flag.row, this.note.row);
    this.flag.row.hidden = !flag;
    this.note.row.hidden = !note;
  }

  #text(title, value) {
    const input = element("textarea");
    Object.assign(input, { value, rows: 2, maxLength: 10000, dir: "auto" });
    return { input, row: element("label", "remark", element("span", "", title), input) };
  }

  get open() {
    return !this.flag.row.hidden || !this.note.row.hidden;
  }

  toggleFlag() {
    this.flagged = !this.flagged;
    this.flag.row.hidden = !this.flagged;
    if (this.flagged) this.flag.input.focus();
  }

  openNote() {
    this.note.row.hidden = false;
    this.note.input.focus();
  }

  value() {
    const note = this.note.input.value.trim();
    return { ...(this.flagged && { flag: this.flag.input.value.trim() || BAD }), ...(note && { note }) };
  }
}
