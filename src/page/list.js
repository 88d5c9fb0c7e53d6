/* ---- filters and list ---- */
const STEP = 400; /* rows that are made at a time */
const state = { search: "", severity: new Set(["error", "warning", "note"]), group: "cause", rows: STEP };
const selects = { rule: "rule", file: "file", function: "function", rank: "rank", thread: "thread", window: "window" };

const sidesOf = (finding) => (finding.second ? [finding.first, finding.second] : [finding.first]);

/* What each finding can be chosen by, once. */
function index(finding) {
    const framesOf = (side) => (side.stack && side.stack.length ? side.stack : [side]);
    const frames = sidesOf(finding).flatMap(framesOf);
    const unique = (values) => [...new Set(values.filter((v) => v !== undefined && v !== null && v !== ""))];
    finding.by = {
        rule: [finding.rule],
        file: unique(frames.map((f) => f.file)),
        function: unique(frames.map((f) => f.function)),
        rank: unique((finding.ranks || []).flat()).map(String),
        thread: unique(sidesOf(finding).map((s) => s.thread)).map(String),
        window: unique([windowName(finding.memory)]),
    };
    finding.text = [finding.id, finding.rule, finding.message, finding.why, finding.fix,
        ...sidesOf(finding).flatMap((s) => [s.call, s.kind, s.variable, s.detail, placeOf(s)]), ...finding.by.file,
        ...finding.by.function, ...finding.by.window].join("\n").toLowerCase();
}

function windowName(memory) {
    if (!memory || memory.side !== "target") return null;
    if (memory.window) return memory.window;
    return memory.created_at ? `made at ${placeOf(memory.created_at)}` : null;
}

function fits(finding) {
    if (!state.severity.has(finding.severity)) return false;
    for (const name of Object.keys(selects))
        if (state[name] && !finding.by[name].includes(state[name])) return false;
    return state.search.split(/\s+/).every((word) => finding.text.includes(word));
}

function choices(name) {
    const counts = new Map();
    for (const finding of data.findings)
        for (const value of finding.by[name]) counts.set(value, (counts.get(value) || 0) + 1);
    const numeric = name === "rank" || name === "thread";
    return [...counts].sort((a, b) => (numeric ? a[0] - b[0] : b[1] - a[1] || (a[0] < b[0] ? -1 : 1))).slice(0, 500);
}

function makeFilters(form) {
    const changed = () => { state.rows = STEP; showList(); };
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(element("input", {
        type: "search", id: "search", placeholder: "Search  ( / )", "aria-label": "Search findings", autocomplete: "off",
        oninput: (event) => { state.search = event.target.value.trim().toLowerCase(); changed(); },
    }));
    const chips = element("div", { class: "chips", role: "group", "aria-label": "Severity" });
    for (const severity of ["error", "warning", "note"]) {
        const count = data.findings.filter((f) => f.severity === severity).length;
        if (!count) continue;
        chips.append(element("label", { class: "chip" }, element("input", {
            type: "checkbox", checked: true, name: severity,
            onchange: (event) => { event.target.checked ? state.severity.add(severity) : state.severity.delete(severity); changed(); },
        }), element("span", { class: `dot ${severity}` }), plural(count, severity)));
    }
    form.append(chips);
    const more = element("details", { class: "more-filters" }, element("summary", {}, "Filter and group"));
    const row = element("div", { class: "row" });
    for (const [name, label] of Object.entries(selects)) {
        const values = choices(name);
        if (values.length < 2) continue;
        row.append(element("select", {
            name, "aria-label": `Filter by ${label}`,
            onchange: (event) => { state[name] = event.target.value; changed(); },
        }, element("option", { value: "" }, `any ${label}`),
        values.map(([value, count]) => element("option", { value }, `${value} (${count})`))));
    }
    row.append(element("select", {
        name: "group", "aria-label": "Group by",
        onchange: (event) => { state.group = event.target.value; changed(); },
    }, [["cause", "by cause"], ["rule", "by rule"], ["file", "by file"], ["none", "no groups"]]
        .map(([value, text]) => element("option", { value }, text))));
    more.append(row);
    form.append(more);
}

function groupOf(finding) {
    if (state.group === "rule") return finding.rule;
    if (state.group === "file") return finding.by.file[0] || "?";
    return state.group === "cause" ? finding.cause || finding.id : "";
}

function groupTitle(key, members) {
    if (state.group !== "cause") return key;
    const blamed = members[0].blamed === "second" ? members[0].second : members[0].first;
    return `${nameOf(blamed)} at ${placeOf(blamed)}` + (members.length > 1 ? ` · ${plural(members.length, "finding")}` : "");
}

const ITEM = "finding-";

function item(finding) {
    const where = sidesOf(finding).map(placeOf).join("  ↔  ");
    return element("li", {}, element("button", {
        class: "item", type: "button", id: ITEM + finding.id, "aria-current": String(finding === current),
        onclick: () => choose(finding, true),
    }, element("span", { class: "head" }, element("span", { class: `dot ${finding.severity}`, role: "img", "aria-label": finding.severity }),
        element("span", { class: "what" }, finding.message)), element("span", { class: "where" }, where)));
}

let shown = [];

function showList() {
    const list = document.getElementById("list");
    shown = data.findings.filter(fits);
    const groups = new Map();
    for (const finding of shown.slice(0, state.rows)) {
        const key = groupOf(finding);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(finding);
    }
    shown = [...groups.values()].flat().concat(shown.slice(state.rows));
    const parts = [];
    for (const [key, members] of groups)
        parts.push(element("section", { class: "group" }, key !== "" ? element("h3", {}, groupTitle(key, members)) : null,
            element("ul", {}, members.map(item))));
    if (shown.length > state.rows)
        parts.push(element("button", {
            class: "theme more", type: "button", onclick: () => { state.rows += STEP; showList(); },
        }, `Show ${Math.min(STEP, shown.length - state.rows)} more of ${shown.length.toLocaleString("en")}`));
    list.replaceChildren(...parts);
    document.getElementById("status").textContent = shown.length === data.findings.length
        ? `${plural(shown.length, "finding")}${state.group === "cause" ? `, ${plural(new Set(shown.map(groupOf)).size, "cause")}` : ""}`
        : `${shown.length.toLocaleString("en")} of ${plural(data.findings.length, "finding")}`;
}

function step(distance) {
    const at = shown.indexOf(current);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + distance))];
    if (!next) return;
    while (shown.indexOf(next) >= state.rows) { state.rows += STEP; showList(); }
    choose(next, false);
    const row = document.getElementById(ITEM + next.id);
    if (row) { row.focus(); row.scrollIntoView({ block: "nearest" }); }
}
