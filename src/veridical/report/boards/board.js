"use strict";
const field = (name) => document.getElementById(`${name}-filter`);
const rows = [...document.querySelectorAll("tr[data-model]")];

function wanted(row) {
  const size = row.dataset.size === "" ? null : Number(row.dataset.size);
  const family = field("family")?.value ?? "";
  const [least, most] = ["least", "most"].map((name) => field(name)?.value ?? "");
  return row.dataset.name.includes(field("name").value.trim().toLowerCase())
    && (family === "" || row.dataset.family === family)
    && (least === "" || (size !== null && size >= Number(least)))
    && (most === "" || (size !== null && size <= Number(most)));
}

function filter() {
  const shown = new Set();
  for (const row of rows) {
    row.hidden = !wanted(row);
    if (!row.hidden) shown.add(row.dataset.model);
  }
  for (const mark of document.querySelectorAll("[data-models]")) {
    mark.toggleAttribute("hidden", !mark.dataset.models.split(" ").every((model) => shown.has(model)));
  }
  const ability = field("ability").value;
  for (const part of document.querySelectorAll("[data-ability]")) {
    part.hidden = ability !== "" && part.dataset.ability !== ability;
  }
  document.getElementById("shown").textContent = `${shown.size} of ${rows.length} models`;
}

document.querySelector(".filters").addEventListener("input", filter);
document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
filter();
