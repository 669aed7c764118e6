const UNITS_PER_PAGE = 10;
const list = document.getElementById("units");
const pager = document.getElementById("pager");
const state = { show: "all", family: "", page: 0 };
const kinds = [
  ["all", "All"],
  ["wrong", "Wrong"],
  ["failed", "Failed"],
  ["disagree", "Models disagree"],
];

function matching() {
  return data.units.filter((unit) =>
    (state.show === "all" || unit.flags.includes(state.show)) && (!state.family || unit.family === state.family));
}

function render() {
  const units = matching();
  const pages = Math.max(1, Math.ceil(units.length / UNITS_PER_PAGE));
  state.page = Math.min(state.page, pages - 1);
  const shown = units.slice(state.page * UNITS_PER_PAGE, (state.page + 1) * UNITS_PER_PAGE);
  const pictures = units.reduce((sum, unit) => sum + unit.pictures.length, 0);
  document.getElementById("matching").textContent = `${plural(units.length, "unit")}, ${plural(pictures, "picture")}`;
  list.replaceChildren(...shown.map(section));
  if (!shown.length) list.append(el("p", "placeholder", "No unit matches."));
  renderPager(pages);
}

function turn(page) {
  state.page = page;
  render();
  document.getElementById("items").scrollIntoView();
  document.getElementById("items").focus({ preventScroll: true });
}

function renderPager(pages) {
  pager.hidden = pages === 1;
  const step = (label, page) => {
    const button = el("button", "", label);
    button.type = "button";
    button.disabled = page < 0 || page >= pages;
    button.addEventListener("click", () => turn(page));
    return button;
  };
  const place = el("span", "", `page ${state.page + 1} of ${pages}`);
  pager.replaceChildren(step("← Previous", state.page - 1), place, step("Next →", state.page + 1));
}

function buildFilters() {
  const show = document.getElementById("show");
  for (const [kind, name] of kinds) {
    if (kind === "disagree" && data.runs.length === 1) continue;
    const count = kind === "all" ? data.units.length : data.units.filter((unit) => unit.flags.includes(kind)).length;
    const input = el("input");
    input.type = "radio";
    input.name = "show";
    input.value = kind;
    input.checked = kind === state.show;
    input.disabled = count === 0 && kind !== "all";
    input.addEventListener("change", () => Object.assign(state, { show: kind, page: 0 }) && render());
    show.append(el("label", "", input, el("span", "option", name, el("span", "count", ` ${count}`))));
  }
  const family = document.getElementById("family");
  family.append(new Option("all cases", ""));
  for (const name of [...new Set(data.units.map((unit) => unit.family))].sort()) family.append(new Option(name, name));
  family.addEventListener("change", () => Object.assign(state, { family: family.value, page: 0 }) && render());
  document.getElementById("filters").hidden = false;
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
}

function followHash() {
  let wanted;
  try {
    wanted = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const index = data.units.findIndex((unit) => anchor(unit) === wanted);
  if (index < 0) return;
  Object.assign(state, { show: "all", family: "", page: Math.floor(index / UNITS_PER_PAGE) });
  document.querySelector("#show input[value=all]").checked = true;
  document.getElementById("family").value = "";
  render();
  document.getElementById(wanted).scrollIntoView();
}

document.getElementById("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
buildFilters();
render();
addEventListener("hashchange", followHash);
followHash();
