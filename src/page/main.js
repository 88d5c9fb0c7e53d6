/* ---- the whole ---- */
function makeTop(top) {
    const logo = drawn("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
        drawn("path", { d: "M15 3 L15 21 L4 21 Z", fill: "currentColor", opacity: "0.85" }),
        drawn("path", { d: "M17 8 L27 21 L17 21 Z", fill: "currentColor", opacity: "0.5" }),
        drawn("path", { d: "M3 24 H29 L25 29 H7 Z", fill: "currentColor" }));
    const facts = [data.mode, data.ranks ? plural(data.ranks, "rank") : null, data.mpi, `Regatta ${data.version}`];
    const count = (severity) => data.findings.filter((f) => f.severity === severity).length;
    top.append(element("div", { class: "brand" }, logo, "Regatta"),
        data.program ? element("span", { class: "program" }, data.program) : null,
        element("span", { class: "facts" }, facts.filter(Boolean).join(" · ")),
        element("div", { class: "counts" },
            ["error", "warning", "note"].filter((s) => count(s) || s === "error")
                .map((s) => element("span", { class: `badge ${s === "error" && !count(s) ? "good" : s}` }, plural(count(s), s))),
            element("button", { class: "theme", type: "button", onclick: toggleTheme }, "Light / dark")));
    const remarks = [...data.notes, ...data.limits.map((l) => `not looked at: ${l.what} (${l.why}${l.do ? `; ${l.do}` : ""})`)];
    if (remarks.length)
        top.append(element("details", { class: "limits", open: !data.findings.length },
            element("summary", {}, remarks.length === 1 ? remarks[0] : plural(remarks.length, "remark")),
            remarks.length > 1 ? element("ul", {}, remarks.map((text) => element("li", {}, text))) : null));
    top.append(...endRemarks());
    document.title = `${plural(count("error"), "error")} · ${data.program || "Regatta"}`;
}

function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
}

function keys(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing) { event.target.blur(); return; }
    if (typing && !(event.target.id === "search" && event.key === "ArrowDown")) return;
    const inList = event.target.classList.contains("item") || typing || event.target === document.body;
    if (event.key === "/") document.getElementById("search").focus();
    else if (event.key === "j" || (event.key === "ArrowDown" && inList)) step(typing ? 0 : 1);
    else if (event.key === "k" || (event.key === "ArrowUp" && inList)) step(-1);
    else return;
    event.preventDefault();
}

/* Sentences are shared (page.c). */
for (const finding of data.findings)
    for (const object of [finding, finding.first, finding.second || {}])
        for (const name of ["message", "why", "fix", "detail"])
            if (typeof object[name] === "number") object[name] = texts[object[name]];

for (const finding of data.findings) if (finding.trace) finding.trace.recorded = true;
data.findings.forEach(index);
makeTop(document.getElementById("top"));
makeFilters(document.getElementById("filters"));
document.getElementById("filters").append(element("p", { class: "keys" },
    element("kbd", {}, "/"), " search  ", element("kbd", {}, "j"), " ", element("kbd", {}, "k"), " next, previous"));
showList();
choose(data.findings.find((f) => `#${f.id}` === location.hash) || shown[0] || null, false);
document.addEventListener("keydown", keys);
document.documentElement.dataset.ready = "true";
