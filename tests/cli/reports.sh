#!/usr/bin/env bash
# shellcheck disable=SC2016 # the words of the batch script are to stay as they are
# Findings of a run in all their forms. The stand-in runtime reports one race between two lines.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
valid() { "$BUILD/tests/findings/validate" "$here/../../docs/findings.schema.json" "$1" || fail "$1 is not valid"; }
cat >halo.c <<'EOF'
#include <mpi.h>
int main(void)
{
    MPI_Init(0, 0);
    MPI_Finalize();
    return 0;
}
EOF
mpicc.mpich -w -g -O1 halo.c -o halo
export STAND_IN=race

try "$REGATTA" run --json findings.json -n 3 ./halo
code_is 66
valid findings.json
err_has '^error: race on a buffer in use: MPI_Irecv by rank 0 writes what its MPI_Isend still reads  *\[local-race\]$'
err_has '^  rank 0  MPI_Isend        halo.c:4  main()   reads 8 bytes$'
err_has '^  rank 0  MPI_Irecv        halo.c:5  main()   writes 8 bytes, all of them the same$'
err_has '^  why: the MPI_Isend keeps its buffer until MPI_Wait or MPI_Test on its request; that has not happened when MPI_Irecv writes the same bytes.$'
err_has '^  4 |     MPI_Init(0, 0);$'
err_has '^  seen 15 times · ranks 0, 1, 2$'
err_has '^regatta: 1 error, 0 warnings · 3 ranks · stand-in 1.0 · full report: findings.json$'
[ "$(jq -r '.findings[0] | "\(.count) \(.ranks | length) \(.first.file):\(.first.line)"' findings.json)" = '15 3 halo.c:4' ] ||
    fail 'wrong JSON'

# Shown again, on standard output, it is the same, with the same exit code; also without a name, from the cache directory.
cp "$scratch/err" shown
for again in findings.json ''; do
    try "$REGATTA" report ${again:+"$again"}
    code_is 66
    [ "$(cat "$scratch/out")" = "$(sed 's/ · full report.*//' shown)" ] || fail 'report shows something else'
    [ ! -s "$scratch/err" ] || fail 'something on standard error'
done

# Options may stand behind the files, and take their values with them.
try "$REGATTA" report findings.json --json again.json --exitcode 9 --quiet
code_is 9
cmp -s findings.json again.json || fail 'report with options behind the file writes other findings'
try "$REGATTA" report findings.json --no-such-option
code_is 2

try "$REGATTA" run -n 3 ./halo
err_has '^regatta: 1 error, 0 warnings · 3 ranks · stand-in 1.0 · see it as a page: regatta report --html halo.html$'
XDG_CACHE_HOME=/proc/nowhere try "$REGATTA" run -n 3 ./halo
code_is 66
err_has '^regatta: 1 error, 0 warnings · 3 ranks · stand-in 1.0$'
XDG_CACHE_HOME=$scratch/empty try "$REGATTA" report
refused 'which findings? No run is remembered'

# Whatever is written to standard output stands there alone.
try "$REGATTA" report --json - findings.json
code_is 66
cp "$scratch/out" again.json
valid again.json
err_has '^regatta: 1 error'
try "$REGATTA" report --json - --sarif - findings.json
refused 'only one file can be standard output'
try "$REGATTA" report --sarif s.sarif --junit j.xml findings.json
out_has ' · full report: s.sarif$'
[ "$(jq -r '.runs[0].results[0].partialFingerprints["regattaFinding/v1"]' s.sarif)" = "$(jq -r '.findings[0].id' findings.json)" ] || fail 'wrong SARIF'
grep -q '<failure type="local-race"' j.xml || fail 'wrong JUnit'
try "$REGATTA" report --format github findings.json
out_has '^::error file=halo.c,line=4,.*title=local-race::race on a buffer in use'
[ "$(wc -l <"$scratch/out")" = 1 ] || fail 'not one line per finding'
try "$REGATTA" report --format gitlab findings.json
[ "$(jq -r '.[0].location | "\(.path):\(.lines.begin)"' "$scratch/out")" = halo.c:4 ] || fail 'wrong code quality report'
try "$REGATTA" report --json merged.json findings.json findings.json
code_is 66
valid merged.json
[ "$(jq '.findings | length' merged.json)$(jq '.findings[0].count' merged.json)" = 130 ] || fail 'wrong merge'

try "$REGATTA" run --exitcode 9 -n 1 ./halo
code_is 9
try "$REGATTA" run --exitcode 0 -n 1 ./halo
code_is 0
try "$REGATTA" run --color always -n 1 ./halo
err_has $'\033'
try "$REGATTA" run --quiet -n 1 ./halo
code_is 66
[ ! -s "$scratch/err" ] || fail '--quiet is not quiet'
try "$REGATTA" run --live -n 2 ./halo
code_is 66
[ "$(grep -c '^error:' "$scratch/err")" = 1 ] || fail '--live shows it more or less than once'
err_has '^regatta: 1 error'

printf '# known\nlocal-race:halo.c\n' >known.supp
try "$REGATTA" run --suppressions known.supp --json suppressed.json -n 1 ./halo
code_is 0
err_has '^regatta: 0 errors, 0 warnings · 1 rank · stand-in 1.0 · 1 suppressed'
[ "$(jq '.findings | length' suppressed.json)" = 0 ] || fail 'suppressed finding in JSON'
try "$REGATTA" run --baseline findings.json -n 1 ./halo
code_is 0
err_has ' · 1 known'
sed -i 's/"severity": "error"/"severity": "warning"/' findings.json
try "$REGATTA" report findings.json
code_is 0
try "$REGATTA" report --werror findings.json
code_is 66
sed -i 's/"severity": "warning"/"severity": "error"/' findings.json

# The same program built and run elsewhere has the same id.
mkdir elsewhere && cp halo.c elsewhere/
(cd elsewhere && mpicc.openmpi -w -g -O0 "$PWD/halo.c" -o halo)
try "$REGATTA" run --json other.json -n 1 elsewhere/halo
[ "$(jq -r '.findings[0].id' findings.json)" = "$(jq -r '.findings[0].id' other.json)" ] || fail 'the id is not stable'

# A file that is not below the working directory has the shorter name; SARIF's are whole, for they would be below the root of the sources.
mkdir below
(
    cd below && "$REGATTA" run --sarif up.sarif --suppressions <(echo "local-race:$(dirname "$PWD")/halo.c") -n 1 ../halo
) >/dev/null 2>"$scratch/err"
err_has ' · 1 suppressed'
(cd below && "$REGATTA" run --sarif up.sarif -n 1 ../halo) >/dev/null 2>"$scratch/err"
err_has '^  rank 0  MPI_Isend        \.\./halo.c:4  main()'
[ "$(jq -r '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' below/up.sarif)" = "file://$PWD/halo.c" ] || fail 'wrong name in SARIF'

# What was not looked at is in the last line and in the JSON; --strict makes it an exit code, unless there are errors.
STAND_IN=limit try "$REGATTA" run --json limited.json -n 2 ./halo
code_is 0
valid limited.json
err_has '^regatta: 0 errors, 0 warnings · 2 ranks · stand-in 1.0 · not looked at: races between ranks (lost the thread, on 1 of 2 ranks) · full report: limited.json$'
[ "$(jq -c '.limits | map({kind, what, why, ranks})' limited.json)" = \
    '[{"kind":"races","what":"races between ranks","why":"lost the thread","ranks":1}]' ] || fail 'wrong limits'
jq -e '.limits[0].do' limited.json >/dev/null || fail 'no advice'
STAND_IN=limit try "$REGATTA" run --strict -n 2 ./halo
code_is 3
STAND_IN=limit,race try "$REGATTA" run --strict -n 2 ./halo
code_is 66
STAND_IN='' try "$REGATTA" run --strict -n 2 ./halo
code_is 0
err_lacks 'not looked at'
try "$REGATTA" report --strict limited.json
code_is 3
out_has '· not looked at: races between ranks (lost the thread, on 1 of 2 ranks)$'

# Records that are kept, also when the end of one is cut off.
STAND_IN=race,cut try "$REGATTA" run --keep-records kept -n 2 ./halo
code_is 66
err_has 'note: rank 1 ended without MPI_Finalize'
try "$REGATTA" report kept
code_is 66
out_has '^  seen 10 times'
out_has 'note: rank 1 ended without MPI_Finalize'
rm -r kept

# A batch script.
printf '%s\n' 'eval "$("$REGATTA" env --mpi mpich --records records)"' 'mpiexec.mpich -n 2 ./halo' \
    'unset LD_PRELOAD' 'exec "$REGATTA" report records' >batch.sh
try bash -e batch.sh
code_is 66
out_has '· 2 ranks · stand-in 1.0'
rm -r records

try "$REGATTA" report --rules
code_is 0
for rule in local-race remote-race atomicity shared-window usage schedule deadlock thread-level thread-finalize thread-request \
    thread-probe thread-collective thread-race; do
    out_has "^$rule "
done
[ "$(grep -c '^  example:' "$scratch/out")" = 14 ] || fail 'a rule lacks its example'

try "$REGATTA" explain
code_is 0
[ "$(wc -l <"$scratch/out")" = 14 ] || fail 'not one line per rule'
try "$REGATTA" explain local-race
out_has '^local-race (error): '
out_has '^  picture:$'
try "$REGATTA" explain no-such-rule
refused "no rule 'no-such-rule'"

# One source file from beginning to end.
for mpi in mpich openmpi; do
    try "$REGATTA" try halo.c -n 2 --mpi $mpi --json try.json
    code_is 66
    [ "$(jq -r .program try.json)" = halo.c ] || fail 'the program is not named as the user does'
    err_has 'halo.c:4'
    err_has ' · 2 ranks'
done
printf 'program hello\nuse mpi\ninteger :: e\ncall MPI_Init(e)\ncall MPI_Finalize(e)\nend program\n' >hello.f90
printf '#include <mpi.h>\n#include <cstdio>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); std::puts(argv[1]); return MPI_Finalize(); }\n' >hello.cc
STAND_IN='' try "$REGATTA" try --mpi mpich hello.f90
code_is 0
err_has ' · 4 ranks'
STAND_IN='' try "$REGATTA" try hello.cc -n 1 -- 'two words'
code_is 0
out_is 'two words'
finish
