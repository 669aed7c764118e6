"use strict";

const form = document.getElementById("filters");
const rows = [...document.querySelectorAll(".profile-row[data-model]")];
const cards = [...document.querySelectorAll(".cards > .card")];
const nameOf = (model) => cards[model].querySelector(".run-name").textContent;
const against = (model) => Number(cards[model].dataset.against);

const ORDERS = {
  "": (a, b) => a - b,
  name: (a, b) => nameOf(a).localeCompare(nameOf(b), "en", { numeric: true }) || a - b,
  against: (a, b) => against(b) - against(a) || a - b,
};

/* Moves the models of each list into an order; the axis below a list stays last. */
function order(compare) {
  for (const list of new Set([...cards, ...rows].map((node) => node.parentNode))) {
    const own = [...list.children].filter((node) => node.dataset.model !== undefined);
    own.sort((a, b) => compare(Number(a.dataset.model), Number(b.dataset.model)));
    list.prepend(...own);
  }
}

/* Shows the rows that match, and the questions and abilities that have any. */
function filter() {
  const wanted = ["state", "suite", "ability"].map((key) => [key, form.elements[key].value]).filter(([, value]) => value);
  for (const row of rows) row.hidden = !wanted.every(([key, value]) => row.dataset[key] === value);
  for (const part of document.querySelectorAll(".question, .ability-part"))
    part.hidden = !part.querySelector(".profile-row[data-model]:not([hidden])");
  const shown = rows.filter((row) => !row.hidden).length;
  const all = shown === rows.length;
  document.getElementById("matching").textContent = all ? `${shown} answers` : `${shown} of ${rows.length} answers`;
}

/* A link to a question that is filtered out shows all again. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest("[hidden]")) return;
  for (const key of ["state", "suite", "ability"]) form.elements[key].value = "";
  filter();
  target.scrollIntoView();
}

if (rows.length) {
  form.hidden = false;
  form.addEventListener("change", (event) => {
    if (event.target.name === "order") order(ORDERS[event.target.value]);
    else filter();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    for (const node of document.querySelectorAll("details.sure")) node.open = true;
  });
  form.reset();
  filter();
}
