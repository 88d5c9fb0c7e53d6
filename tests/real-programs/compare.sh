# Sourced by run and hybrid-run: one program plainly and under `regatta run`, as a row of the table. The caller has `build`, `here`, `hang`, `work`,
# and the functions `cases` and `normalise`.
# shellcheck shell=bash disable=SC2154 # the caller's variables

# usage: start NAME CASE COMMAND...   leaves NAME.raw, NAME.out and NAME.code
start() {
    local name=$1 case=$2 code=0
    shift 2
    LD_PRELOAD=$work/yield.so timeout --kill-after=10 "$hang" "$@" </dev/null >"$name.raw" 2>"$name.err" || code=$?
    [[ $case != netpipe* ]] || grep ' bytes ' "$name.err" >>"$name.raw" || true # its table
    normalise "$case" <"$name.raw" >"$name.out"
    echo "$code" >"$name.code"
}

version() {
    dpkg-query -W -f='${Version}' "$1"
}

# usage: unexplained CASE   the findings but those of explained.tsv, as JSON
unexplained() {
    local pattern rule first second filter=true place='def place: if (.function // "") == "" then (.call // "") else .function end;'
    while IFS=$'\t' read -r pattern rule first second; do
        # shellcheck disable=SC2053 # a pattern
        [[ $pattern == '#'* || $1 != $pattern ]] ||
            filter+=" and ([.rule, (.first | place), (.second | place)] != [\"$rule\", \"$first\", \"$second\"])"
    done <"$here/explained.tsv"
    jq "$place [.findings[] | select($filter)]" findings.json
}

# usage: row CASE MPI RANKS PACKAGE COMMAND
row() {
    local case=$1 mpi=$2 ranks=$3 package=$4 command verdict=ok findings others output=same
    read -ra command <<<"$5"
    rm -f findings.json plain.* regatta.*
    start plain "$case" "mpiexec.$mpi" -n "$ranks" "${command[@]}"
    start regatta "$case" "$build/regatta" run --mpi "$mpi" --exitcode 0 --json findings.json -n "$ranks" "${command[@]}"
    findings=$(jq -r '[.findings[].severity] | if length == 0 then "none" else group_by(.) | map("\(length) \(.[0])") | join(", ") end' findings.json 2>/dev/null) ||
        findings='no report'
    others=$(unexplained "$case" 2>/dev/null | jq length 2>/dev/null) || others=none
    [ "$findings" = none ] || [ "$others" != 0 ] || verdict='ok, explained'
    [[ $case != *-race || $findings != none ]] || others='what is missing'
    cmp -s plain.out regatta.out || output=differs
    [ -s plain.out ] || output=empty
    [ "$(cat plain.code)" = 0 ] || verdict='fails plainly'
    [ "$output" = same ] && [ "$others" = 0 ] && [ "$(cat plain.code)" = "$(cat regatta.code)" ] || verdict=WRONG
    printf '| %-16s | %-7s | %5s | %s %s | %6s | %4s | %6s | %-7s | %-9s | %s |\n' "$case" "$mpi" "$ranks" "$package" "$(version "$package")" \
        "$(wc -l <plain.out)" "$(cat plain.code)" "$(cat regatta.code)" "$output" "$findings" "$verdict"
    if [[ $verdict != ok* ]]; then
        {
            echo "== $case $mpi"
            diff plain.out regatta.out | head -20
            tail -40 regatta.err
        } >&2
        touch failed
    fi
}

# usage: rows PATTERN...   those of the cases that are chosen, or all; fails if one is wrong
rows() {
    {
        echo '| program | MPI | ranks | package | lines of output | exit plain | exit under Regatta | output | findings | verdict |'
        echo '|---|---|---:|---|---:|---:|---:|---|---|---|'
        while IFS='|' read -r case mpi ranks package command <&3; do
            if [ $# -gt 0 ]; then
                chosen=
                for pattern; do [[ $case-$mpi == *$pattern* ]] && chosen=1; done
                [ "$chosen" ] || continue
            fi
            row "$case" "$mpi" "$ranks" "$package" "$command"
        done 3< <(cases)
    } | tee ${table:+"$table"}
    [ ! -e failed ]
}
