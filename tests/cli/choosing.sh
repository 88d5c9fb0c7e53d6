#!/usr/bin/env bash
# `regatta report`: filters, order, comparison of two runs, suppressions by id. The findings are written here, so that what must be left is known.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
valid() { "$BUILD/tests/findings/validate" "$here/../../docs/findings.schema.json" "$1" || fail "$1 is not valid"; }

# side KIND CALL RANK THREAD FILE LINE FUNCTION
side() {
    jq -n -c --arg kind "$1" --arg call "$2" --argjson rank "$3" --argjson thread "$4" --arg file "$5" --argjson line "$6" --arg function "$7" \
        '{kind: $kind, rank: $rank, thread: $thread, file: $file, line: $line, function: $function,
          stack: [{function: $function, file: $file, line: $line}, {function: "main", file: "main.c", line: 9}]} + (if $call == "" then {} else {call: $call} end)'
}
# finding ID RULE SEVERITY COUNT FIRST SECOND RANKS MEMORY
finding() {
    jq -n -c --arg id "$1$1$1$1" --arg rule "$2" --arg severity "$3" --argjson count "$4" --argjson first "$5" --argjson second "$6" --argjson ranks "$7" \
        --argjson memory "$8" '{id: $id, rule: $rule, severity: $severity, message: "message \($id[0:4])", count: $count, ranks: $ranks, first: $first, second: $second}
            + (if $memory then {memory: $memory} else {} end) | with_entries(select(.value != null))'
}
report() { jq -s '{schema: 1, tool: "regatta", version: "0", mode: "run", mpi: "mpich 4.0.2", ranks: 4, program: "./halo", findings: ., notes: [], limits: []}'; }
window() { jq -n -c "{side: \"target\", rank: 1, offset: 0, bytes: 8} + $1"; }

a=$(finding aaaa local-race error 5 "$(side send MPI_Isend 0 0 src/halo.c 20 exchange)" "$(side store '' 0 0 src/halo.c 21 exchange)" '[[0,0],[1,1]]' null)
b=$(finding bbbb remote-race error 40 "$(side put MPI_Put 2 0 src/halo.c 30 push)" "$(side load '' 3 0 src/norm.c 7 norm)" '[[2,3]]' "$(window '{window: "grid"}')")
c=$(finding cccc remote-race warning 1 "$(side put MPI_Put 0 0 src/io.c 5 dump)" "$(side store '' 1 0 src/norm.c 9 norm)" '[[0,1]]' \
    "$(window '{created_at: {call: "MPI_Win_create", file: "src/io.c", line: 3}}')")
d=$(finding dddd thread-race error 2 "$(side recv MPI_Recv 1 1 src/pool.c 11 worker)" "$(side store '' 1 2 src/pool.c 12 worker)" '[[1,1]]' null)
e=$(finding eeee usage note 1 "$(side put MPI_Put 0 0 src/io.c 50 'solver::step')" null '[[0]]' null)
printf '%s\n' "$a" "$b" "$c" "$d" "$e" | report >all.json
printf '%s\n' "$a" "$b" "$c" | report >monday.json
printf '%s\n' "$b" "$d" "$e" | report >tuesday.json
valid all.json

# The ids of what is shown, in order.
left_is() { # WANTED OPTIONS…
    local wanted=$1
    shift
    try "$REGATTA" report --exitcode 0 --json - "$@"
    code_is 0
    local left
    left=$(jq -r '[.findings[].id[0:1]] | join("")' "$scratch/out")
    [ "$left" = "$wanted" ] || fail "$wanted expected, left is $left"
}

left_is badce all.json # by severity, rule (in the order of regatta explain), place
left_is a --rule local-race all.json
left_is bac --rule local-race,remote-race all.json
left_is bac --rule local-race --rule remote-race all.json
left_is badc --rule '*-race' all.json
left_is bad --severity error all.json
left_is ce --severity warning,note all.json
left_is ba --file halo.c all.json
left_is ba --file src/halo.c all.json
left_is bc --file 'norm.?' all.json
left_is badce --file main.c all.json # any frame of the stacks
left_is bc --function norm all.json
left_is e --function 'solver::*' all.json
left_is ace --rank 0 all.json
left_is b --rank 2 all.json
left_is bace --rank 0,3 all.json
left_is d --thread 2 all.json
left_is b --window grid all.json
left_is c --window io.c:3 all.json
left_is bc --window 'gr*,io.c' all.json
left_is b --rank 3 --file norm.c all.json
left_is '' --rank 3 --rule local-race all.json
left_is badce --sort count all.json
left_is abced --sort place all.json
left_is acedb --sort rank all.json
left_is bcade --sort rule all.json
try "$REGATTA" report --rule remote-race --severity error --sort count all.json
code_is 66
out_has '^regatta: 1 error, 0 warnings · 4 ranks · mpich 4.0.2 · 4 not selected$'
try "$REGATTA" report --rank 3 --severity warning all.json
code_is 0
out_has '^regatta: 0 errors, 0 warnings .* · 5 not selected$'

try "$REGATTA" report --list --sort rule all.json
code_is 66
out_has '^aaaaaaaaaaaaaaaa  error    local-race  src/halo.c:20 src/halo.c:21  message aaaa$'
out_has '^eeeeeeeeeeeeeeee  note     usage  src/io.c:50  message eeee$'
[ "$(grep -c '^[a-f0-9]* ' "$scratch/out")" = 5 ] || fail 'not a line per finding'

# Two runs.
left_is de --new monday.json tuesday.json
left_is ac --fixed monday.json tuesday.json
left_is badce monday.json tuesday.json
try "$REGATTA" report --new monday.json tuesday.json
code_is 66
out_has '^regatta: 1 error, 0 warnings, 1 note · .* · 1 known$'
try "$REGATTA" report --fixed monday.json tuesday.json
code_is 0
out_has '^error: message aaaa'
out_has 'note: these were in monday.json, and are gone'
[ "$(jq '.findings | map(select(.id[0:1] == "b"))[0].count' <("$REGATTA" report --json - monday.json tuesday.json 2>/dev/null))" = 80 ] ||
    fail 'counts of two runs are not added'
# What was fixed since the run before the last one.
mkdir -p "$XDG_CACHE_HOME/regatta"
cp tuesday.json "$XDG_CACHE_HOME/regatta/last.json"
left_is de --new monday.json
left_is ac --fixed monday.json

# Suppressions by id.
try "$REGATTA" report --suppress aaaa,eeeeeeeeeeeeeeee all.json
code_is 0
out_is "id:aaaaaaaaaaaaaaaa  # local-race src/halo.c:20 src/halo.c:21
id:eeeeeeeeeeeeeeee  # usage src/io.c:50"
printf '# ours\nusage:nowhere.c' >known.supp
try "$REGATTA" report --suppressions known.supp --suppress a --suppress e,aaaa all.json
code_is 0
out_is 'regatta: 2 findings added to known.supp'
[ "$(head -2 known.supp | tail -1)" = usage:nowhere.c ] || fail 'what stood in the file is damaged'
[ "$(wc -l <known.supp)" = 4 ] || fail 'not two lines more'
try "$REGATTA" report --suppressions known.supp --suppress a all.json
out_is 'regatta: 0 findings added to known.supp'
left_is bdc --suppressions known.supp all.json
try "$REGATTA" report --suppressions known.supp all.json
out_has '· 2 suppressed$'
out_has '^regatta: note: known.supp:2: usage:nowhere.c fits none of these findings$'
[ "$(grep -c 'fits none' "$scratch/out")" = 1 ] || fail 'one that fits is said not to'
# An entry that a filter hides is no less of use.
try "$REGATTA" report --suppressions known.supp --file norm.c all.json
[ "$(grep -c 'fits none' "$scratch/out")" = 1 ] || fail 'a filter makes suppressions useless'
try "$REGATTA" report --suppressions new.supp --file norm.c --suppress all all.json
out_is 'regatta: 2 findings added to new.supp'
left_is ade --suppressions new.supp all.json
# What two entries suppress uses both.
printf '*:halo.c\nid:aaaaaaaaaaaaaaaa\n' >two.supp
try "$REGATTA" report --suppressions two.supp all.json
! grep -q 'fits none' "$scratch/out" || fail 'the second of two that fit is said not to'

try "$REGATTA" report --suppress ffff all.json
refused "there is no finding 'ffff'"
printf '%s\n' "$a" "${a//aaaaaaaaaaaaaaaa/aaaa000000000000}" | sed 's/halo.c/other.c/2' | jq -c . | sed '2s/"line":2/"line":3/g' | report >alike.json
try "$REGATTA" report --suppress aaaa alike.json
refused "several findings have an id that begins with 'aaaa'"
printf 'id:xyz\n' >wrong.supp
try "$REGATTA" report --suppressions wrong.supp all.json
refused "wrong.supp:1: 'xyz' is not the id of a finding"
try "$REGATTA" report --rule no-such all.json
refused "there is no rule 'no-such'"
try "$REGATTA" report --severity grave all.json
refused "'grave' is none of error, warning, note"
try "$REGATTA" report --rank two all.json
refused "'two' is not the number of a rank or thread"
try "$REGATTA" report --sort size all.json
refused 'report: --sort is one of severity|count'
try "$REGATTA" report --new monday.json --fixed monday.json tuesday.json
refused 'only one of --new, --fixed and --baseline'
try "$REGATTA" report --new missing.json tuesday.json
refused 'missing.json: No such file'
try "$REGATTA" report --suppressions /nonexistent/x.supp --suppress a all.json
refused 'cannot write /nonexistent/x.supp'

# Records of many processes: how far it is, on a terminal only.
mkdir many
awk 'BEGIN { for (i = 0; i < 2000; i++) { file = "many/host-" i ".records"
    print "{\"type\":\"process\",\"format\":2,\"rank\":" i ",\"ranks\":2000,\"pid\":" i + 1 "}" > file
    for (k = 0; k < 150; k++) print "{\"type\":\"note\",\"text\":\"one of many\"}" > file
    print "{\"type\":\"end\",\"state\":\"finalized\"}" > file
    close(file) } }'
script -qec "$REGATTA report many" terminal.txt >/dev/null
grep -aq 'regatta: report: read the records of process [0-9]* of 2000' terminal.txt || fail 'no progress on a terminal'
try "$REGATTA" report many
code_is 0
err_lacks 'records of process'
finish
