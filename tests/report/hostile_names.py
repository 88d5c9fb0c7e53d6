"""A report in which everything that comes from a program tries to be something else."""

EVIL = ["<script>document.title='evil'</script>", "\"><img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "<!--", "]]>&lt;&amp;",
        "a\u0001b\u001b[31m\u009b", "\u202eeman", "${alert(1)}", "javascript:alert(1)", "' onload='alert(1)", "\U0001f6a3 \u00e9"]


def hostile_report():
    """Names, paths and source lines that try to be something else."""
    findings = []
    sources = {}
    for number, evil in enumerate(EVIL):
        file = f"dir/{evil}.c"
        frame = {"function": evil, "file": file, "line": 3}
        side = {"kind": "put", "call": evil, "rank": 0, "thread": 0, "variable": evil, "detail": evil, "stack": [frame, frame], **frame}
        findings.append({"id": f"{number:016x}", "rule": "local-race", "severity": "error", "message": f"message {evil}", "why": evil, "fix": evil, "count": 1,
                         "ranks": [[0, 1]], "first": side, "second": {**side, "rank": 1},
                         "memory": {"side": "target", "rank": 1, "window": evil, "offset": 0, "bytes": 4}})
        sources[file] = {str(line): f"{evil} // {line}" for line in range(1, 7)}
    return {"schema": 1, "tool": "regatta", "version": "0", "mode": "run", "mpi": EVIL[0], "ranks": 2, "program": EVIL[1], "findings": findings,
            "notes": [EVIL[2]], "limits": [{"kind": "races", "what": EVIL[0], "why": EVIL[1]}], "sources": sources}
