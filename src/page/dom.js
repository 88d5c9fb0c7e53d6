/* Everything that comes from the program is put into the page as text: no markup is ever parsed. */
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        node.append(child);
    }
    return node;
}

const element = (name, attributes, ...children) =>
    fill(document.createElement(name), attributes, children);
const drawn = (name, attributes, ...children) =>
    fill(document.createElementNS(SVG, name), attributes, children);

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const base = (path) => path.slice(path.lastIndexOf("/") + 1);

function placeOf(frame) {
    if (!frame) return "?";
    if (frame.file) return frame.line ? `${frame.file}:${frame.line}` : frame.file;
    if (frame.module) return `${base(frame.module)}+0x${(frame.offset || 0).toString(16)}`;
    return "?";
}

const nameOf = (access) => access.call || access.kind || "access";

/* Unknown ranks are those of `check`: any. */
function whoOf(access) {
    if (!(access.rank >= 0)) return "";
    return `rank ${access.rank}` + (access.thread ? `, thread ${access.thread}` : "");
}

/* ---- source with colours ---- */
const WORDS = {
    c: /^(?:auto|bool|break|case|catch|char|class|const|continue|default|delete|do|double|else|enum|extern|float|for|goto|if|inline|int|long|namespace|new|nullptr|register|return|short|signed|sizeof|static|struct|switch|template|throw|try|typedef|union|unsigned|using|void|volatile|while)$/,
    f: /^(?:allocate|allocatable|call|character|complex|contains|deallocate|dimension|do|double|else|elseif|end|enddo|endif|function|if|implicit|in|integer|intent|logical|module|none|only|out|parameter|pointer|precision|print|procedure|program|real|return|save|subroutine|target|then|type|use|while|write)$/i,
    p: /^(?:and|as|break|class|continue|def|del|elif|else|except|finally|for|from|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield|None|True|False)$/,
};
const TOKENS = {
    c: /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.]*/g,
    f: /!.*|"[^"]*"?|'[^']*'?|[A-Za-z_]\w*|\d[\w.]*/g,
    p: /#.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.]*/g,
};

function languageOf(file) {
    const ending = /\.([^.]*)$/.exec(file || "");
    if (ending && /^py$/i.test(ending[1])) return "p";
    return ending && /^f/i.test(ending[1]) ? "f" : "c";
}

function classOf(token, language) {
    if (/^(?:\/\/|\/\*)/.test(token) || (language === "f" && token[0] === "!") || (language === "p" && token[0] === "#"))
        return "c";
    if (token[0] === '"' || token[0] === "'") return "s";
    if (/^\d/.test(token)) return "n";
    if (/^mpi_/i.test(token)) return "m";
    return WORDS[language].test(token) ? "k" : null;
}

function coloured(text, file) {
    const language = languageOf(file), line = element("span");
    let at = 0;
    for (const match of text.matchAll(TOKENS[language])) {
        line.append(text.slice(at, match.index));
        const kind = classOf(match[0], language);
        line.append(kind ? element("span", { class: kind }, match[0]) : match[0]);
        at = match.index + match[0].length;
    }
    line.append(text.slice(at));
    return line;
}

const sourceLine = (file, line) => ((data.sources || {})[file] || {})[line];

/* Lines around a place; `added` are lines of a suggestion that would stand before one of them. */
function excerpt(frame, added) {
    const lines = frame && frame.file && (data.sources || {})[frame.file];
    if (!lines) return null;
    const list = element("ol");
    const row = (number, text, kind, spoken) =>
        element("li", { class: kind },
            element("span", { "aria-hidden": kind === "added" ? "true" : null }, number),
            spoken ? element("span", { class: "skip" }, spoken) : null, coloured(text, frame.file));
    for (let number = frame.line - 3; number <= frame.line + 3; number++) {
        if (added && added.line === number)
            for (const text of added.text.split("\n")) list.append(row("+", text, "added", "suggested: "));
        const text = lines[number];
        if (text === undefined) continue;
        const hit = number === frame.line && !added;
        list.append(row(String(number), text.replaceAll("\t", "    "), hit ? "hit" : null));
    }
    return element("div", { class: "source", tabindex: "0", role: "region", "aria-label": `${frame.file}, lines around ${frame.line}` }, list);
}
