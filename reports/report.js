"use strict";
// Filtering the two long tables, and opening everything for print. The page is complete without it.
for (const form of document.querySelectorAll("form.filter")) {
  const rows = [...document.getElementById(form.dataset.table).tBodies[0].rows];
  const count = form.querySelector("output");
  const apply = () => {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = form.elements.kind.value;
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = (kind !== "" && row.dataset.kind !== kind) || !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.value = `${shown} of ${rows.length} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  apply();
}

// A link into a filtered table must not lead nowhere.
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.closest("tr[hidden]")) {
    document.querySelectorAll("form.filter").forEach((form) => form.reset());
    setTimeout(() => target.scrollIntoView());
  }
});

addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
});
