const UNITS_PER_PAGE = 10;
const kinds = [
  ["all", "All"],
  ["split", "Judges disagree"],
  ["wrong", "Wrong"],
  ["failed", "Failed"],
  ["disagree", "Models disagree"],
];

function browser(root) {
  const prefix = root.dataset.prefix;
  const part = (name) => document.getElementById(prefix + name);
  const data = JSON.parse(part("items-data").textContent);
  const repeated = data.units.some((unit) =>
    unit.items.some((item) => item.questions.some((q) => q.outcomes.some((o) => o.repeat > 1))));
  const page = { prefix, level: root.dataset.level, data, repeated };
  const state = { show: "all", family: "", page: 0 };

  const matching = () => data.units.filter((unit) =>
    (state.show === "all" || unit.flags.includes(state.show)) && (!state.family || unit.family === state.family));

  function render() {
    const units = matching();
    const pages = Math.max(1, Math.ceil(units.length / UNITS_PER_PAGE));
    state.page = Math.min(state.page, pages - 1);
    const shown = units.slice(state.page * UNITS_PER_PAGE, (state.page + 1) * UNITS_PER_PAGE);
    const items = units.reduce((sum, unit) => sum + unit.items.length, 0);
    part("matching").textContent = `${plural(units.length, "base item")}, ${plural(items, "item")}`;
    part("units").replaceChildren(...shown.map((unit) => section(page, unit)));
    if (!shown.length) part("units").append(el("p", "placeholder", "No base item matches."));
    renderPager(pages);
  }

  function choose(change) {
    Object.assign(state, { page: 0 }, change);
    render();
  }

  function turn(to) {
    choose({ page: to });
    root.scrollIntoView();
    root.focus({ preventScroll: true });
  }

  function renderPager(pages) {
    part("pager").hidden = pages === 1;
    const step = (label, to) => {
      const button = el("button", "", label);
      button.type = "button";
      button.disabled = to < 0 || to >= pages;
      button.addEventListener("click", () => turn(to));
      return button;
    };
    const place = el("span", "", `page ${state.page + 1} of ${pages}`);
    part("pager").replaceChildren(step("← Previous", state.page - 1), place, step("Next →", state.page + 1));
  }

  function buildFilters() {
    for (const [kind, name] of kinds) {
      if (kind === "disagree" && data.runs.length === 1) continue;
      const count = kind === "all" ? data.units.length : data.units.filter((unit) => unit.flags.includes(kind)).length;
      if (kind === "split" && !count) continue;
      const option = radio(`${prefix}show`, kind, kind === state.show, () => choose({ show: kind }), name, el("span", "count", ` ${count}`));
      option.firstChild.disabled = count === 0 && kind !== "all";
      part("show").append(option);
    }
    const family = part("family");
    family.append(new Option("all", ""));
    for (const name of [...new Set(data.units.map((unit) => unit.family))].sort()) family.append(new Option(familyText(page, name), name));
    family.addEventListener("change", () => choose({ family: family.value }));
    part("filters").hidden = false;
    part("filters").addEventListener("submit", (event) => event.preventDefault());
  }

  function follow(wanted) {
    const index = data.units.findIndex((unit) => anchor(page, unit) === wanted);
    if (index < 0) return;
    part("show").querySelector("input[value=all]").checked = true;
    part("family").value = "";
    choose({ show: "all", family: "", page: Math.floor(index / UNITS_PER_PAGE) });
    document.getElementById(wanted).scrollIntoView();
  }

  buildFilters();
  render();
  return follow;
}

const browsers = [...document.querySelectorAll("section.items")].map(browser);

function followHash() {
  try {
    const wanted = decodeURIComponent(location.hash.slice(1));
    for (const follow of browsers) follow(wanted);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
}

addEventListener("hashchange", followHash);
followHash();
