/* ---- the space-time diagram: processes side by side, time downwards ---- */
const ROW = 42, TOP = 58, FOOT = 34;

const OPENS = { MPI_Win_lock: "lock", MPI_Win_lock_all: "lock", MPI_Win_start: "access", MPI_Win_post: "exposure", MPI_Win_fence: "fence" };
const CLOSES = { MPI_Win_unlock: "lock", MPI_Win_unlock_all: "lock", MPI_Win_complete: "access", MPI_Win_wait: "exposure", MPI_Win_test: "exposure", MPI_Win_fence: "fence" };
const EPOCHS = { lock: "lock epoch", access: "access epoch", exposure: "exposure epoch", fence: "fence epoch" };
const COMPLETES = /^MPI_(Win_(flush|flush_all|unlock|unlock_all|fence|complete|free)|Wait|Waitall|Waitany|Waitsome|Test|Testall)$/;
const EDGES = { message: "message", collective: "collective", post: "post to start", complete: "complete to wait", atomic: "atomic read", world: "all ranks", thread: "threads of one process" };

/* Without recorded events the two accesses are drawn as the finding tells of them. */
function schematic(finding) {
    const sides = sidesOf(finding), lanes = [], events = [];
    const laneOf = (side) => {
        const at = lanes.findIndex((l) => l.rank === side.rank && (l.thread || 0) === (side.thread || 0));
        return at >= 0 ? at : lanes.push({ rank: side.rank, thread: side.thread }) - 1;
    };
    const event = (side, role) => ({ lane: laneOf(side), call: nameOf(side), file: side.file, line: side.line, function: side.function, role });
    events.push(event(finding.first, "first"));
    if (finding.second) events.push(event(finding.second, "second"));
    const open = sides.find((s) => s.epoch && s.epoch !== "none") || sides.find((s) => s.until);
    if (open && finding.second)
        events.push({ lane: laneOf(open), call: open.epoch && open.epoch !== "none" ? "its epoch ends" : "its completion", ends: open === finding.first ? "first" : "second" });
    return { recorded: false, lanes, events, edges: [] };
}

/* The row of each event: behind the one before it in its lane, behind whatever it learns from; those of one world-wide
 * synchronisation side by side. */
function rowsOf(trace) {
    const rows = trace.events.map(() => 0), before = trace.events.map(() => -1), last = {};
    trace.events.forEach((event, i) => { before[i] = last[event.lane] ?? -1; last[event.lane] = i; });
    const groups = {};
    trace.events.forEach((event, i) => { if (event.world !== undefined) (groups[event.world] ||= []).push(i); });
    for (let turn = 0, changed = true; changed && turn <= trace.events.length; turn++) {
        changed = false;
        const raise = (i, row) => { if (rows[i] < row) { rows[i] = row; changed = true; } };
        trace.events.forEach((event, i) => { if (before[i] >= 0) raise(i, rows[before[i]] + 1); });
        for (const edge of trace.edges) raise(edge.to, rows[edge.from] + 1);
        for (const members of Object.values(groups)) {
            const row = Math.max(...members.map((i) => rows[i]));
            members.forEach((i) => raise(i, row));
        }
    }
    return rows;
}

function geometry(trace) {
    const rows = rowsOf(trace), lanes = trace.lanes.length;
    const left = lanes === 2 ? 290 : 60, between = lanes === 2 ? 250 : 290, right = 300;
    const x = (lane) => left + lane * between, y = (i) => TOP + 26 + rows[i] * ROW;
    const height = TOP + 26 + (Math.max(0, ...rows) + 1) * ROW + FOOT;
    return { rows, x, y, width: left + (lanes - 1) * between + right, height, bottom: height - FOOT, leftward: (lane) => lanes === 2 && lane === 0 };
}

/* Where an operation is over: the event that completes it in its lane, or -1. */
function endOf(trace, at) {
    const event = trace.events[at];
    const named = trace.events.findIndex((e) => e.ends && e.ends === event.role);
    if (named >= 0) return named;
    for (let i = at + 1; i < trace.events.length; i++) {
        const later = trace.events[i];
        if (later.lane === event.lane && COMPLETES.test(later.call) && (later.window === undefined || event.window === undefined || later.window === event.window))
            return i;
    }
    return -1;
}

const isOperation = (finding, role) => {
    const side = finding[role];
    return Boolean(side && ((side.epoch && side.epoch !== "none") || side.until));
};

/* What ends here may have begun before the calls that are kept; not where the fault is that it never began. */
function bands(finding, trace, g) {
    const parts = [], open = {}, misused = finding.rule === "usage";
    const band = (lane, kind, from, to) => parts.push(drawn("g", {},
        drawn("rect", { class: "band", "data-epoch": kind, x: g.x(lane) - 15, y: from, width: 30, height: Math.max(6, to - from), rx: 8 }),
        drawn("title", {}, `${EPOCHS[kind]} of rank ${trace.lanes[lane].rank}`)));
    trace.events.forEach((event, i) => {
        const closes = CLOSES[event.call], opens = OPENS[event.call], key = `${event.lane} ${closes || opens} ${event.window}`;
        if (closes && open[key] !== undefined) { band(event.lane, closes, open[key], g.y(i)); delete open[key]; }
        else if (closes && closes !== "fence" && trace.recorded && !misused) band(event.lane, closes, TOP, g.y(i));
        if (opens && !(opens === "fence" && event.last)) open[key] = g.y(i);
    });
    for (const key of Object.keys(open)) {
        const [lane, kind] = key.split(" ");
        if (kind !== "fence") band(Number(lane), kind, open[key], g.bottom);
    }
    return parts;
}

function arrow(x, y, angle, kind) {
    return drawn("path", { class: `arrow ${kind || ""}`, d: "M0 0 L-10 -4.6 L-10 4.6 Z", transform: `translate(${x} ${y}) rotate(${angle})` });
}

function connection(fromX, fromY, toX, toY, kind, space) {
    const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI, radians = (angle * Math.PI) / 180;
    const startX = fromX + Math.cos(radians) * space, startY = fromY + Math.sin(radians) * space;
    const endX = toX - Math.cos(radians) * space, endY = toY - Math.sin(radians) * space;
    return [drawn("line", { class: kind, x1: startX, y1: startY, x2: endX - Math.cos(radians) * 6, y2: endY - Math.sin(radians) * 6 }),
        arrow(endX, endY, angle, /on-path/.test(kind) ? "on-path" : /missing|reach/.test(kind) ? "red" : "")];
}

function edgesOf(trace, g) {
    return trace.edges.map((edge, i) => {
        const from = trace.events[edge.from], to = trace.events[edge.to];
        if (from.world !== undefined && from.world === to.world) return null;
        const path = (trace.path || []).includes(i);
        return drawn("g", { "data-edge": edge.kind, "data-from": edge.from, "data-to": edge.to },
            drawn("title", {}, `${EDGES[edge.kind] || edge.kind}: ${from.call} of rank ${trace.lanes[from.lane].rank} to ${to.call} of rank ${trace.lanes[to.lane].rank}`),
            connection(g.x(from.lane), g.y(edge.from), g.x(to.lane), g.y(edge.to), `edge ${path ? "on-path" : ""}`, 8));
    });
}

function worlds(trace, g) {
    const groups = {};
    trace.events.forEach((event, i) => { if (event.world !== undefined) (groups[event.world] ||= []).push(i); });
    return Object.values(groups).filter((members) => members.length > 1).map((members) =>
        drawn("line", { class: "world", "data-edge": "world", x1: g.x(0) - 20, x2: g.x(trace.lanes.length - 1) + 20, y1: g.y(members[0]), y2: g.y(members[0]) }));
}

// The file's own name: there is no room for folders, which the title and the excerpts have.
function shortPlace(place) {
    const name = place.slice(place.lastIndexOf("/") + 1);
    return name.length > 24 ? "…" + name.slice(-23) : name;
}

function mark(finding, trace, g, i) {
    const event = trace.events[i], x = g.x(event.lane), y = g.y(i), side = event.role && finding[event.role];
    const left = g.leftward(event.lane), far = event.role ? 20 : 20;
    const place = event.file ? placeOf(event) : "", who = `rank ${trace.lanes[event.lane].rank}`;
    const spoken = `${who}: ${event.call}${place ? ` at ${place}` : ""}${event.role ? `, access ${event.role === "first" ? "A" : "B"}` : ""}`;
    const lift = trace.lanes.length > 2 ? 14 : 0; // between lanes: above the arrows that go out here
    const textX = left ? x - far : x + far, anchor = left ? "end" : "start";
    return drawn("g", { class: "mark", tabindex: "0", role: "img", "aria-label": spoken, "data-call": event.call, "data-line": event.line, "data-lane": event.lane, "data-role": event.role },
        drawn("title", {}, spoken + (side && side.detail ? `\n${side.detail}` : "")),
        event.role ? [drawn("circle", { class: `access ${event.role}`, cx: x, cy: y, r: 11 }),
            drawn("text", { class: `access-letter ${event.role}`, x, y: y + 4.3 }, event.role === "first" ? "A" : "B")]
            : event.ends ? drawn("rect", { class: "call", x: x - 5, y: y - 5, width: 10, height: 10, transform: `rotate(45 ${x} ${y})` })
            : drawn("circle", { class: "call", cx: x, cy: y, r: 5 }),
        drawn("text", { class: `label ${event.role ? "strong" : ""}`, x: textX, y: y - 1 - lift, "text-anchor": anchor }, event.call),
        place ? drawn("text", { class: "place", x: textX, y: y + 13 - lift - (lift ? 2 : 0), "text-anchor": anchor }, shortPlace(place)) : null);
}

function spans(finding, trace, g) {
    return trace.events.map((event, i) => {
        if (!event.role || !isOperation(finding, event.role)) return null;
        const end = endOf(trace, i);
        return drawn("line", { class: `span ${event.role}`, "data-span": event.role, "data-until": end >= 0 ? trace.events[end].call : "open",
            x1: g.x(event.lane), x2: g.x(event.lane), y1: g.y(i), y2: end >= 0 ? g.y(end) : g.bottom });
    });
}

/* What an operation reaches: the memory of another rank. */
function reach(finding, trace, g) {
    const memory = finding.memory;
    if (!memory || memory.side !== "target") return [];
    return trace.events.map((event, i) => {
        const lane = trace.lanes.findIndex((l) => l.rank === memory.rank);
        if (!event.role || !isOperation(finding, event.role) || lane < 0 || trace.lanes[event.lane].rank === memory.rank) return null;
        return drawn("g", { "data-edge": "reach" }, drawn("title", {}, `its bytes are at rank ${memory.rank}`),
            connection(g.x(event.lane), g.y(i), g.x(lane), g.y(i) + ROW * 0.55, "reach", 12));
    });
}

/* What is missing between the two, in a few words; null: something else is wrong. */
const RACES = ["remote-race", "local-race", "atomicity", "shared-window", "thread-race", "thread-request", "thread-probe", "thread-collective"];
function lack(finding) {
    const name = finding.case || "";
    if (/^shared-(store|load)-not-synced$/.test(name)) return "memory is not synchronised";
    if (name === "level-serialized" || name === "finalize-concurrent" || /^thread-(request|probe|collective)$/.test(finding.rule)) return "nothing keeps these apart";
    return RACES.includes(finding.rule) ? "nothing orders these" : null;
}

/* The edge that is not there: from where the one is over to the other. */
function missing(finding, trace, g) {
    const a = trace.events.findIndex((e) => e.role === "first"), b = trace.events.findIndex((e) => e.role === "second");
    if (a < 0 || b < 0 || trace.path || !lack(finding)) return null;
    const text = trace.events[a].lane === trace.events[b].lane ? "not complete before" : lack(finding);
    const operation = isOperation(finding, "first") || !isOperation(finding, "second") ? a : b, other = operation === a ? b : a;
    const from = trace.events[operation], to = trace.events[other];
    if (from.lane === to.lane) {
        const x = g.x(from.lane) - (g.leftward(from.lane) ? -24 : 24), top = g.y(operation), bottom = g.y(other);
        const bend = g.leftward(from.lane) ? 30 : -30;
        return drawn("g", { "data-edge": "missing" }, drawn("path", { class: "missing", d: `M${x} ${top} C${x + bend} ${top} ${x + bend} ${bottom} ${x} ${bottom}` }),
            drawn("title", {}, text));
    }
    const end = endOf(trace, operation), fromY = end >= 0 ? g.y(end) : g.y(operation);
    const parts = connection(g.x(from.lane), fromY, g.x(to.lane), g.y(other), "missing", 14);
    const middleX = (g.x(from.lane) + g.x(to.lane)) / 2, middleY = (fromY + g.y(other)) / 2, half = text.length * 3.7 + 8;
    return drawn("g", { "data-edge": "missing" }, parts, drawn("rect", { class: "missing-back", x: middleX - half, y: middleY - 12, width: 2 * half, height: 22, rx: 6 }),
        drawn("text", { class: "missing-label", x: middleX, y: middleY + 4, "text-anchor": "middle" }, text), drawn("title", {}, text));
}

function laneLines(trace, g) {
    return trace.lanes.map((lane, i) => {
        const name = lane.rank >= 0 ? `rank ${lane.rank}${lane.thread ? ` · thread ${lane.thread}` : ""}` : "a process";
        return [drawn("line", { class: "gap", x1: g.x(i), x2: g.x(i), y1: TOP - 14, y2: TOP }), drawn("line", { class: "lane", "data-lane": i, x1: g.x(i), x2: g.x(i), y1: TOP, y2: g.bottom }),
            drawn("line", { class: "gap", x1: g.x(i), x2: g.x(i), y1: g.bottom, y2: g.bottom + 16 }),
            drawn("text", { class: "lane-name", x: g.x(i), y: 26, "text-anchor": "middle" }, name)];
    });
}

function draw(finding, trace) {
    const g = geometry(trace);
    return drawn("svg", { viewBox: `0 0 ${g.width} ${g.height}`, width: g.width, height: g.height, role: "group", "aria-label": "Space-time diagram: time goes down", class: trace.path ? "ordered" : null },
        bands(finding, trace, g), laneLines(trace, g), worlds(trace, g), spans(finding, trace, g), reach(finding, trace, g), edgesOf(trace, g), missing(finding, trace, g),
        trace.events.map((event, i) => mark(finding, trace, g, i)));
}

function legend(finding, trace) {
    const sample = (...parts) => drawn("svg", { viewBox: "0 0 30 12", "aria-hidden": "true" }, parts);
    const line = (kind) => sample(drawn("line", { class: kind, x1: 1, x2: 29, y1: 6, y2: 6 }));
    const rows = [];
    if (["first", "second"].some((role) => isOperation(finding, role))) rows.push([sample(drawn("line", { class: "span", x1: 4, x2: 26, y1: 6, y2: 6 })), "operation, from its call to its completion"]);
    if (trace.events.some((e) => OPENS[e.call] || CLOSES[e.call])) rows.push([sample(drawn("rect", { class: "band", x: 2, y: 1, width: 26, height: 10, rx: 3 })), "epoch"]);
    if (trace.edges.length) rows.push([line(trace.path ? "edge on-path" : "edge"), trace.path ? "what orders the two" : "message or other order"]);
    if (trace.events.some((e) => e.world !== undefined)) rows.push([line("world"), "all ranks wait for each other"]);
    if (!trace.path && finding.second && lack(finding)) rows.push([line("missing"), lack(finding).startsWith("memory") ? "what is missing: MPI_Win_sync" : "the order that is missing"]);
    return element("ul", { class: "legend" }, rows.map(([picture, text]) => element("li", {}, picture, text)));
}

function diagramCard(finding) {
    if (!finding.first) return null;
    if (finding.rule === "deadlock") return cycleCard(finding);
    const trace = finding.trace || schematic(finding);
    const svg = draw(finding, trace), scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Diagram" }, svg);
    let scale = 1;
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const zoom = (factor) => () => {
        scale = factor ? Math.min(3, Math.max(0.4, scale * factor)) : 1;
        svg.setAttribute("width", width * scale);
        svg.setAttribute("height", height * scale);
    };
    const button = (text, label, factor) => element("button", { type: "button", "aria-label": label, onclick: zoom(factor) }, text);
    return element("section", { class: "card diagram" },
        element("div", { class: "tools" }, button("−", "Zoom out", 0.8), button("1:1", "Original size", 0), button("+", "Zoom in", 1.25)),
        element("h2", {}, trace.path ? "What orders the two" : "In space and time"),
        element("figure", {}, scroll, legend(finding, trace),
            element("figcaption", {}, trace.recorded
                ? `As it happened: the last calls of the ranks around the ${finding.second ? "two accesses" : "call"}. Time goes down; only what an arrow or a line connects is ordered.${trace.note ? ` ${trace.note}` : ""}`
                : "Drawn from the finding itself; time goes down.")));
}
