#!/usr/bin/env bash
# Every command refuses bad input with one line and exit code 2, and leaves nothing behind.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"

printf 'text\n' >text
printf 'text\n' >executable_text
printf 'int main(void) { return 0; }\n' >good.c
printf 'int main(void) { oops }\n' >bad.c
printf '{"schema": 1,' >broken.json
printf '{"schema": 1, "tool": "other"}' >foreign.json
printf 'halo.c\n' >wrong.supp
printf '*-race:x\nnosuchrule:foo\n' >unknown.supp
printf 'local-race:[abc\n' >bracket.supp
mkdir directory
chmod +x executable_text
cp "$BUILD/tests/cli/actor_mpich" actor
cp "$BUILD/tests/cli/actor_openmpi" actor_openmpi
marker=$scratch/started
printf '#!/bin/sh\necho >%s\n' "$marker" >script
printf '#! /no/interpreter -x\necho >%s\n' "$marker" >no_interpreter
printf '#!/bin/sh\r\necho >%s\r\n' "$marker" >dos_script
chmod +x script no_interpreter dos_script

bad() { # expected words, arguments…
    local words=$1
    shift
    try "$REGATTA" "$@" </dev/null
    refused "$words"
}

bad 'which command'
bad "unknown command 'frobnicate'" frobnicate
bad "unknown option '--frobnicate'" --frobnicate

bad 'which program' run
bad 'which program' run -n 2
bad 'how many processes' run ./script
bad "number from 1 to .*'0'" run -n 0 ./script
bad "number from 1 to .*'-3'" run -n -3 ./script
bad "'x'" run -n x ./script
bad "'2x'" run -n 2x ./script
bad "'99999999999999999999'" run -n 99999999999999999999 ./script
bad '-n needs a value' run -n
bad "unknown option '--pdf'" run --pdf report.pdf -n 1 ./script
bad "unknown option '--pdf=x'" run --pdf=x -n 1 ./script
bad "unknown option '-x'" run -x -n 1 ./script
bad 'takes no value' run --quiet=yes -n 1 ./script
bad "one of mpich|openmpi, not 'lam'" run --mpi lam -n 1 ./script
bad "one of auto|always|never" run --color=red -n 1 ./script
bad "exitcode needs a number" run --exitcode 256 -n 1 ./script
bad 'name of the program is empty' run -n 1 ''
bad './no_interpreter cannot be run: its interpreter /no/interpreter: No such file' run -n 1 ./no_interpreter
bad './dos_script cannot be run: its interpreter /bin/sh: No such file.*DOS' run -n 1 ./dos_script
bad './no_interpreter cannot be run' stress -n 1 ./no_interpreter
bad './missing: No such file' run -n 1 ./missing
bad 'missing: No such file' run -n 1 missing
bad 'text is not executable' run -n 1 ./text
bad 'neither an executable nor a script' run -n 1 ./executable_text
bad 'directory is a directory' run -n 1 ./directory
bad 'says openmpi, but ./actor is linked against mpich (libmpich' run --mpi openmpi -n 1 ./actor
bad 'says mpich, but ./actor_openmpi is linked against openmpi (libmpi' run --mpi mpich -n 1 ./actor_openmpi
bad 'cannot write no/where.json: No such file' run --json no/where.json -n 1 ./script
bad 'cannot write directory: Is a directory' run --json directory -n 1 ./script
bad 'json needs a value' run --json= -n 1 ./script
bad 'missing.supp: No such file' run --suppressions missing.supp -n 1 ./script
bad 'wrong.supp:1: ' run --suppressions wrong.supp -n 1 ./script
bad "unknown.supp:2: there is no rule 'nosuchrule'" run --suppressions unknown.supp -n 1 ./script
bad 'bracket.supp:1: a \[ without \]' run --suppressions bracket.supp -n 1 ./script
bad 'missing.json: No such file' run --baseline missing.json -n 1 ./script
bad 'broken.json:1: not JSON' run --baseline broken.json -n 1 ./script
bad 'not a Regatta findings file' run --baseline foreign.json -n 1 ./script
bad 'cannot make no/records' run --keep-records no/records -n 1 ./script
bad 'cannot start no-such-launcher' run --launcher 'no-such-launcher -x' -n 1 ./script
bad 'launcher cannot be understood' run --launcher 'srun | cat' -n 1 ./script
touch directory/host-1.records
bad 'already holds the records' run --keep-records directory -n 1 ./script
rm directory/host-1.records
REGATTA_MPI=lam bad "REGATTA_MPI is mpich or openmpi, not 'lam'" run -n 1 ./script
REGATTA_MPI=openmpi bad 'REGATTA_MPI says openmpi, but' run -n 1 ./actor
export REGATTA_OPTIONS
REGATTA_OPTIONS=frob=1 bad "REGATTA_OPTIONS: unknown option 'frob'" run -n 1 ./script
REGATTA_OPTIONS=leaks=1:stack_depth=many bad 'stack_depth needs a number' run -n 1 ./script
REGATTA_OPTIONS=leaks=maybe bad 'leaks needs 0 or 1' run -n 1 ./script
REGATTA_OPTIONS=leaks bad 'leaks needs 0 or 1' run -n 1 ./script
unset REGATTA_OPTIONS
if [ "$(id -u)" != 0 ]; then # root reads and writes everything
    chmod 000 actor
    bad 'actor is not executable' run -n 1 ./actor
    chmod 700 actor
    mkdir -m 500 closed
    bad 'cannot write closed/x.json: Permission denied' run --json closed/x.json -n 1 ./script
fi

XDG_CACHE_HOME=$scratch/none bad 'which findings' report
bad 'missing.json: No such file' report missing.json
bad 'broken.json:1: not JSON' report broken.json
bad 'not JSON' report text
bad 'not a Regatta findings file' report foreign.json
bad 'no records of a run' report directory
printf '{"type":"process","format":1,"rank":0,"ranks":1}\n' >directory/host-1.records
bad 'directory: records of format 1, written by another version of Regatta' report directory
rm directory/host-1.records
bad "unknown option '--pdf'" report --pdf x foreign.json

bad 'which source file' try
bad 'missing.c: No such file' try missing.c
bad 'text: the name ends like no' try text
bad 'one source file at a time' try good.c bad.c
bad "'0'" try -n 0 good.c
bad 'cannot write no/where.json' try good.c --json no/where.json
try "$REGATTA" try bad.c
code_is 2
tail -n 1 "$scratch/err" | grep -q '^regatta: bad.c does not compile' || fail 'compile error not told'

bad "unexpected argument 'x'" env x
bad "one of mpich|openmpi" env --mpi lam
bad 'cannot make .*/no/records' env --records no/records
bad "unexpected argument 'x'" doctor x
bad "unknown option '--fast'" doctor --fast
bad 'cc: --mpi needs a value' cc --mpi
bad 'fc: --mpi needs a value' fc --mpi=
bad 'cc: --mpi needs a value' cc --mpi '' -c good.c
bad "mpi is mpich or openmpi, not 'lam'" cc --mpi lam -c good.c

[ ! -e "$marker" ] || fail 'a program was run'
[ -z "$(find . -newer script -name '*.json*')" ] || fail 'a file was written'
for help in run try report explain env doctor cc; do
    try "$REGATTA" $help --help
    code_is 0
    [ "$(wc -l <"$scratch/out")" -le 24 ] || fail "$help --help does not fit on one screen"
    ! grep -q '.\{100\}' "$scratch/out" || fail "$help --help has long lines"
done
try "$REGATTA" --help
code_is 0
[ "$(wc -l <"$scratch/out")" -le 24 ] || fail 'does not fit on one screen'
finish
