/* ---- a run that was stopped, or crashed: who waits for whom, and where ---- */
const MOST_NODES = 14;
const NODE = 24;

/* What an arrow of the cycle means; the whole sentence is in the finding's words. */
const DEEDS = { receive: "waits to be received", send: "waits for a message", enter: "waits in a collective call", other: "waits in a collective call",
    post: "waits for MPI_Win_post", complete: "waits for MPI_Win_complete", unlock: "waits for a lock" };

const stuckWait = (rank) => data.waiting.ranks.find((wait) => wait.rank === rank && wait.stuck);
const partFor = (wait, rank) => wait.for.find((part) => part.ranks.includes(rank)) || wait.for[0];

/* The cycle that a finding is about; a report of several runs may have others. */
function cycleOf(finding) {
    const cycle = (data.waiting && data.waiting.cycle) || [];
    const pairs = (finding.ranks || []).map((pair) => pair.join());
    const told = cycle.every((rank, i) => (data.waiting.cycle_ends && i === cycle.length - 1) || pairs.includes([rank, cycle[(i + 1) % cycle.length]].join()));
    return finding.rule === "deadlock" && told ? cycle : [];
}

/* Of a long cycle the ends are enough: null stands for those between. */
function shortened(cycle) {
    return cycle.length <= MOST_NODES ? cycle : [...cycle.slice(0, MOST_NODES - 3), null, ...cycle.slice(-2)];
}

/* Around a circle, the first one on top; two stand side by side. */
function nodePlaces(count) {
    const radius = count === 1 ? 0 : count === 2 ? 150 : Math.max(130, count * 23), start = count === 2 ? Math.PI : -Math.PI / 2;
    const middle = { x: radius + 210, y: radius * (count === 2 ? 0 : 1) + 78 };
    return { width: 2 * middle.x, height: middle.y + (count === 1 ? 110 : count === 2 ? 80 : radius + 66), places: Array.from({ length: count }, (_, i) => {
        const angle = start + (i * 2 * Math.PI) / count;
        return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle), side: Math.abs(Math.cos(angle)) < 0.3 ? 0 : Math.sign(Math.cos(angle)), down: Math.sin(angle) > 0 };
    }) };
}

function node(rank, place, left) {
    if (rank === null) return drawn("text", { x: place.x, y: place.y + 4, "text-anchor": "middle", class: "label" }, `… ${left} more …`);
    const wait = stuckWait(rank), at = wait && wait.file ? placeOf(wait) : "", call = wait ? wait.call : "has ended";
    const outside = { x: place.x + place.side * (NODE + 8), anchor: place.side < 0 ? "end" : place.side > 0 ? "start" : "middle",
        y: place.side ? place.y : place.down ? place.y + NODE + 16 : place.y - NODE - 20 };
    return drawn("g", { class: "mark", tabindex: "0", role: "img", "aria-label": `rank ${rank}: ${call}${at ? ` at ${at}` : ""}`,
        "data-call": call, "data-line": wait && wait.line, "data-lane": rank, "data-role": null },
    drawn("title", {}, wait ? `${call}${at ? ` at ${at}` : ""}\n${wait.for.map((part) => part.words).join("\n")}` : `rank ${rank} has ended`),
    drawn("circle", { class: wait ? "node" : "node over", cx: place.x, cy: place.y, r: NODE }),
    drawn("text", { class: "lane-name", x: place.x, y: place.y + 5, "text-anchor": "middle" }, String(rank)),
    drawn("text", { class: "label strong", x: outside.x, y: outside.y, "text-anchor": outside.anchor }, call),
    at ? drawn("text", { class: "place", x: outside.x, y: outside.y + 14, "text-anchor": outside.anchor }, shortPlace(at)) : null);
}

/* From the edge of one circle to the edge of the next, bent if the way back runs beside it. */
function waitArrow(from, to, a, b, count) {
    const part = from !== null && to !== null && stuckWait(from) ? partFor(stuckWait(from), to) : null;
    const says = from === null || to === null ? "" : `rank ${from} ${part ? part.words : `waits for rank ${to}`}`;
    const bend = count <= 2 ? 46 : 0, away = Math.atan2(b.y - a.y, b.x - a.x), turn = count <= 2 ? 0.5 : 0;
    const loop = count === 1, space = NODE + 4;
    const start = loop ? { x: a.x + space * 0.7, y: a.y + space * 0.7 } : { x: a.x + space * Math.cos(away - turn), y: a.y + space * Math.sin(away - turn) };
    const end = loop ? { x: a.x - space * 0.7, y: a.y + space * 0.7 } : { x: b.x - space * Math.cos(away + turn), y: b.y - space * Math.sin(away + turn) };
    const middle = { x: (a.x + b.x) / 2 + bend * Math.sin(away), y: (a.y + b.y) / 2 - bend * Math.cos(away) };
    const control = loop ? { x: a.x, y: a.y + 90 } : { x: (a.x + b.x) / 2 + 1.6 * bend * Math.sin(away), y: (a.y + b.y) / 2 - 1.6 * bend * Math.cos(away) };
    const angle = (Math.atan2(end.y - control.y, end.x - control.x) * 180) / Math.PI;
    const word = part && count <= 4 ? DEEDS[part.deed] || "" : "";
    const top = loop ? a.y + 92 : count === 2 ? middle.y + (Math.cos(away) > 0 ? 0 : 8) : middle.y + (Math.cos(away) > 0 ? -4 : 12);
    const beside = count > 2 && Math.abs(Math.sin(away)) > 0.2 ? (Math.sin(away) > 0 ? 14 : -14) : 0;
    return drawn("g", { "data-edge": "waits", "data-from": from, "data-to": to }, drawn("title", {}, says),
        drawn("path", { class: "waits", d: loop ? `M${start.x} ${start.y} C${a.x + 60} ${a.y + 90} ${a.x - 60} ${a.y + 90} ${end.x} ${end.y}` : `M${start.x} ${start.y} Q${control.x} ${control.y} ${end.x} ${end.y}` }),
        arrow(end.x, end.y, loop ? -60 : angle, "red"),
        word ? drawn("text", { class: "missing-label", x: middle.x + beside, y: top, "text-anchor": beside > 0 ? "start" : beside < 0 ? "end" : "middle" }, word) : null);
}

function cycleCard(finding) {
    const cycle = shortened(cycleOf(finding)), whole = cycleOf(finding);
    if (!cycle.length) return null;
    const ends = data.waiting.cycle_ends, layout = nodePlaces(cycle.length);
    const svg = drawn("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, width: layout.width, height: layout.height, class: "fit", role: "group", "aria-label": "Who waits for whom" },
        cycle.map((rank, i) => (ends && i === cycle.length - 1 ? null
            : waitArrow(rank, cycle[(i + 1) % cycle.length], layout.places[i], layout.places[(i + 1) % cycle.length], cycle.length))),
        cycle.map((rank, i) => node(rank, layout.places[i], whole.length - cycle.length + 1)));
    return element("section", { class: "card diagram" }, element("h2", {}, "Who waits for whom"),
        element("figure", {}, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Diagram" }, svg),
            element("figcaption", {}, ends ? "Each rank waits for the one that its arrow points to; the last of them has ended."
                : whole.length === 1 ? "The rank waits for itself."
                : "Each rank waits for the one that its arrow points to. None of them can go on before another one does.")));
}

/* "0-3, 7" */
function rankList(ranks) {
    const parts = [];
    for (let i = 0; i < ranks.length; i++) {
        const first = ranks[i];
        while (i + 1 < ranks.length && ranks[i + 1] === ranks[i] + 1) i++;
        parts.push(first === ranks[i] ? `${first}` : `${first}-${ranks[i]}`);
    }
    return parts.join(", ");
}

function waitCells(wait) {
    const made = (part) => (part.file && part.line ? [" ", element("span", { class: "quiet mono" }, `${part.call || ""} ${placeOf(part)}`)] : null);
    const where = wait.ended ? "has ended" : wait.inside ? element("code", {}, wait.call) : wait.call ? ["not in MPI, after ", element("code", {}, wait.call)] : "not in MPI";
    return [element("td", {}, where, wait.file ? element("div", { class: "quiet mono" }, placeOf(wait), wait.function ? `  ${wait.function}()` : "") : null, stackOf(wait)),
        element("td", {}, wait.inside && !wait.ended ? wait.for.map((part) => element("div", {}, part.words, made(part))) : null,
            wait.more ? element("div", {}, `and ${wait.more} more`) : null)];
}

/* Ranks that are at the same place for the same reason share a row. */
function waitTable() {
    const rows = new Map();
    for (const wait of data.waiting.ranks) {
        const { rank, seconds, ...same } = wait;
        const key = JSON.stringify(same);
        if (!rows.has(key)) rows.set(key, { wait, ranks: [] });
        rows.get(key).ranks.push(rank);
    }
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Where the ranks were" }, element("table", { class: "waits" },
        element("thead", {}, element("tr", {}, ["rank", "where", "what it waits for"].map((text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, [...rows.values()].slice(0, 200).map(({ wait, ranks }) => element("tr", { "data-ranks": rankList(ranks) },
            element("th", { scope: "row" }, rankList(ranks), wait.thread ? ` thread ${wait.thread}` : ""), waitCells(wait)))),
        rows.size > 200 ? element("tfoot", {}, element("tr", {}, element("td", { colspan: 3 }, `and ${rows.size - 200} more`))) : null));
}

function waitCard(finding) {
    return cycleOf(finding).length ? element("section", { class: "card" }, element("h2", {}, "Where the ranks were"), waitTable()) : null;
}

/* How the run ended, if not well, for the top of the page; which rank crashed is a note. */
function endRemarks() {
    const stopped = data.waiting, code = data.exit && data.exit.code;
    if (stopped)
        return [element("details", { class: "ending", open: !data.findings.length },
            element("summary", {}, stopped.stopped_by === "timeout" ? `stopped after ${plural(stopped.seconds, "second")} (--timeout)` : "stopped by a signal", "; where the ranks were"),
            waitTable())];
    return code ? [element("p", { class: "ending" }, `the program ended with exit code ${code}`)] : [];
}
