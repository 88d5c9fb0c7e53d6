/* ---- one finding ---- */
let current = null;

function stackOf(side) {
    if (!side.stack || side.stack.length < 2) return null;
    return element("details", { class: "stack" }, element("summary", {}, `Call stack, ${side.stack.length} levels`),
        element("ol", {}, side.stack.map((frame) =>
            element("li", {}, element("code", {}, frame.function ? `${frame.function}()` : "?"), " ",
                element("span", { class: "quiet mono" }, placeOf(frame))))));
}

/* The nearest frame with a line: a library without debug information may have made the call. */
function linedFrame(side) {
    if (side.file && side.line) return side;
    return (side.stack || []).find((frame) => frame.file && frame.line) || side;
}

const mentions = (text, name) => {
    const at = text.indexOf(name);
    return at >= 0 && !/\w/.test(text[at - 1] || "") && !/\w/.test(text[at + name.length] || "");
};

/* What the source calls the buffer, where the words speak of other memory. */
function bufferName(side) {
    if (!side.variable || mentions(side.detail || "", side.variable)) return null;
    const name = element("code", {}, side.variable);
    return side.detail ? [" (its buffer: ", name, ")"] : ["its buffer: ", name];
}

function accessCard(side, letter) {
    const frame = linedFrame(side);
    return element("section", { class: "card access", "aria-label": letter === "A" ? "First access" : "Second access" },
        element("h2", {}, element("span", { class: `letter ${letter === "B" ? "second" : ""}` }, letter),
            element("span", {}, nameOf(side)), whoOf(side) ? element("span", { class: "quiet" }, whoOf(side)) : null),
        element("div", { class: "place" }, placeOf(side), side.function ? `  ${side.function}()` : "",
            frame !== side ? element("div", {}, `called from ${placeOf(frame)}  ${frame.function ? frame.function + "()" : ""}`) : null),
        element("p", {}, side.detail || "", bufferName(side)),
        excerpt(frame), stackOf(side));
}

function fixCard(finding) {
    if (!finding.fix) return null;
    const added = finding.suggestion;
    return element("section", { class: "card fix" }, element("h2", {}, "How to fix it"), element("p", {}, finding.fix),
        added ? [element("p", { class: "quiet" }, `for example, in ${added.file} before line ${added.line}:`), excerpt(added, added)] : null);
}

/* Of `check`: calls and branches in the order in which the program goes them. */
const STEPS = { first: "A", second: "B", branch: "↳", call: "→", round: "↻", example: "·" };

function pathCard(finding) {
    if (!finding.path || !finding.path.length) return null;
    return element("section", { class: "card path" }, element("h2", {}, "The way there"),
        element("ol", { class: "steps" }, finding.path.map((step) => element("li", { class: `step ${step.kind}`, "data-kind": step.kind, "data-line": step.line },
            element("span", { class: "sign", "aria-hidden": "true" }, STEPS[step.kind] || "·"),
            element("span", { class: "what" }, step.kind === "branch" ? element("code", {}, (sourceLine(step.file, step.line) || "branch").trim()) : null,
                step.kind === "branch" ? " " : null, step.text),
            step.line ? element("span", { class: "quiet mono" }, placeOf(step)) : null))),
        element("p", { class: "quiet" }, "Found in the source: calls and branches in the order in which the program goes them, and one example of who does."));
}

/* Of `stress`: what came out as usual, and what came out under the schedule. */
function outcomesCard(finding) {
    const both = finding.outcomes;
    if (!both || !both.rows.length) return null;
    const cell = (text, other) => element("td", { class: text === other ? "" : "differs" }, element("pre", {}, text));
    return element("section", { class: "card outcomes" }, element("h2", {}, "The two outcomes"),
        element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Outcomes" }, element("table", {},
            element("thead", {}, element("tr", {}, element("td", {}), element("th", { scope: "col" }, "as usual"), element("th", { scope: "col" }, "under this schedule"))),
            element("tbody", {}, both.rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.what), cell(row.usual, row.here), cell(row.here, row.usual)))))),
        both.how.length ? [element("h3", {}, "What the schedule does, which MPI permits"), element("ul", {}, both.how.map((text) => element("li", {}, text)))] : null,
        both.moved.length ? [element("h3", {}, "The operations that were moved"),
            element("ul", { class: "moved" }, both.moved.map((one) => element("li", { "data-line": one.line },
                element("code", {}, one.call), ` of rank ${one.rank} at rank ${one.target} `, element("span", { class: "quiet mono" }, placeOf(one)))))] : null);
}

/* Whose bytes, and which of them both touch. */
function mapCard(finding) {
    const memory = finding.memory;
    if (!memory || !memory.bytes) return null;
    const isWindow = memory.side === "target";
    const name = isWindow ? (memory.window ? `window “${memory.window}”` : "a window") : "the buffer of A";
    const made = memory.created_at
        ? `, made by ${memory.created_at.call || "a call"} at ${placeOf(memory.created_at)}` : "";
    const start = memory.offset >= 0 ? memory.offset : 0, end = start + memory.bytes;
    const whole = Math.max(end, finding.first.bytes || 0), low = isWindow ? Math.max(0, start - memory.bytes * 2) : 0;
    const high = isWindow ? end + memory.bytes * 2 : whole;
    const width = 620, x = (byte) => 10 + ((byte - low) / (high - low)) * (width - 20);
    const text = (byte, anchor) => drawn("text", { x: x(byte), y: 62, "text-anchor": anchor, class: "place" }, String(byte));
    const svg = drawn("svg", { viewBox: `0 0 ${width} 70`, width, height: 70, role: "img",
        "aria-label": `bytes ${start} to ${end - 1} of ${name} of rank ${memory.rank}` },
    drawn("rect", { class: "bytes", x: x(low), y: 18, width: x(high) - x(low), height: 26, rx: 5 }),
    drawn("rect", { class: "overlap", x: x(start), y: 18, width: Math.max(3, x(end) - x(start)), height: 26, rx: 3 }),
    text(start, "start"), x(end) - x(start) > 60 ? text(end, "end") : null,
    isWindow || x(high) - x(end) < 40 ? null : text(high, "end"),
    drawn("text", { x: x(start), y: 12, class: "label strong" }, `both touch ${plural(memory.bytes, "byte")}`));
    return element("section", { class: "card map" }, element("h2", {}, "The memory"),
        element("p", {}, memory.rank >= 0 ? `Rank ${memory.rank}: ` : "", `${name}${made}`), svg);
}

function occurrences(finding) {
    const pairs = finding.ranks || [];
    const list = pairs.slice(0, 24).map((p) => (p.length < 2 || p[0] === p[1] ? `${p[0]}` : `${p[0]}→${p[1]}`)).join(", ");
    const seen = finding.found_by && finding.found_by.every((mode) => mode === "check")
        ? "Found in the source; not seen in a run"
        : `Seen ${finding.count === 1 ? "once" : `${finding.count.toLocaleString("en")} times`}`;
    const ranks = list && pairs[0][0] >= 0 && !seen.startsWith("Found")
        ? ` · ${/^\d+$/.test(list) ? "rank" : "ranks"} ${list}${pairs.length > 24 ? ` and ${pairs.length - 24} more` : ""}` : "";
    return seen + ranks;
}

function aboutRule(finding) {
    const rule = (rules[finding.rule] || {});
    if (!rule.explanation) return null;
    return element("details", { class: "about" }, element("summary", {}, `About the rule ${finding.rule}: ${rule.title}`),
        element("p", {}, rule.explanation), element("pre", {}, rule.example), element("p", {}, rule.fix));
}

function confirmed(finding) {
    const by = finding.found_by || [];
    return by.includes("check") && by.length > 1;
}

function showFinding(finding) {
    const detail = document.getElementById("detail");
    if (!finding) {
        detail.replaceChildren(element("div", { class: "empty" },
            element("h1", {}, data.findings.length ? "No finding fits" : "Nothing was found"),
            element("p", { class: "quiet" }, data.findings.length ? "Clear the search or a filter."
                : data.waiting || (data.exit && data.exit.code) ? "How the run ended, and what was not looked at, stands above."
                : "What was not looked at stands above; without such a line, everything was.")));
        return;
    }
    const others = data.findings.filter((f) => f !== finding && f.cause && f.cause === finding.cause);
    detail.replaceChildren(element("article", { class: "finding", "aria-labelledby": "title" },
        element("header", {},
            element("div", { class: "tags" }, element("span", { class: `badge ${finding.severity}` }, finding.severity),
                element("span", { class: "badge plain" }, finding.rule),
                confirmed(finding) ? element("span", { class: "badge good" }, "confirmed: found by check, and seen") : null,
                element("span", { class: "quiet" }, occurrences(finding)),
                element("span", { class: "quiet mono" }, finding.id)),
            element("h1", { id: "title" }, finding.message.replace(/\brank (?=\d)/g, "rank\u00a0"))),
        element("div", { class: "reasons" },
            finding.why ? element("section", { class: "card why" }, element("h2", {}, "Why"), element("p", {}, finding.why)) : null,
            fixCard(finding)),
        outcomesCard(finding), finding.trace ? null : pathCard(finding), diagramCard(finding), finding.trace ? pathCard(finding) : null,
        element("div", { class: "sides" }, accessCard(finding.first, "A"), finding.second ? accessCard(finding.second, "B") : null),
        waitCard(finding), mapCard(finding),
        others.length ? element("section", { class: "card" }, element("h2", {}, "The same cause"),
            element("ul", {}, others.slice(0, 20).map((f) => element("li", {}, element("button", {
                class: "item", type: "button", onclick: () => choose(f, true),
            }, f.message, element("span", { class: "where" }, sidesOf(f).map(placeOf).join("  ↔  "))))))) : null,
        aboutRule(finding)));
}

function choose(finding, focus) {
    const before = current && document.getElementById(ITEM + current.id);
    if (before) before.setAttribute("aria-current", "false");
    current = finding;
    const row = finding && document.getElementById(ITEM + finding.id);
    if (row) row.setAttribute("aria-current", "true");
    showFinding(finding);
    if (finding) history.replaceState(null, "", `#${finding.id}`);
    if (focus) { document.getElementById("detail").focus(); window.scrollTo(0, 0); }
}
