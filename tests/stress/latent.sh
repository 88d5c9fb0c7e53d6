#!/usr/bin/env bash
# usage: latent.sh [OPTIONS] [PATTERN]
# The programs in latent/: each has a bug that plain runs do not show. `regatta stress` must show it, without asserts in the
# program, and must leave the repaired twin alone. Prints a table program × strategy.
#   --build DIR   where regatta is (build)      --mpi mpich|openmpi   (mpich)
#   --runs N      schedules to try (20)         --plain N             plain runs that must pass, with asserts (3)
#   --repaired N  schedules for the repaired twin (as many as for the bug)
#   --first       stop at the first schedule that shows the bug: no table
#   --limit S     time limit per run (20)       --jobs N              runs at a time (1)
# PATTERN: an extended regular expression on the name.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/programs/program.bash
. "$here/../programs/program.bash"
# shellcheck source=tests/stress/campaign.bash
. "$here/campaign.bash"
build=$here/../../build mpi=mpich runs=20 plain=3 pattern=. first=() limit=20 repaired="" jobs=1
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift ;;
    --mpi) mpi=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    --plain) plain=$2 && shift ;;
    --repaired) repaired=$2 && shift ;;
    --first) first=(--first) ;;
    --limit) limit=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) pattern=$1 ;;
    esac
    shift
done
build=$(realpath "$build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
let_waiting_ranks_sleep || exit 2

compile() { # NAME OUTPUT FLAGS…
    local name=$1 output=$2
    shift 2
    "mpicc.$mpi" -g -O1 "$@" "$here/latent/$name.c" -o "$output" 2>log || { cat log && exit 2; }
}

stress() { # PROGRAM RANKS RUNS OPTIONS…
    local program=$1 ranks=$2 runs=$3
    shift 3
    "$build/regatta" stress --mpi "$mpi" -n "$ranks" --runs "$runs" --timeout "$limit" --jobs "$jobs" --werror --table table "$@" \
        "./$program" >log 2>&1
}

# Several at a time: starting processes is mostly waiting. Ranks that wait spin, as they do for users.
plain_runs() { # RANKS
    # shellcheck disable=SC2016 # the inner shell expands it
    seq "$plain" | env -u LD_PRELOAD xargs -P "$jobs" -I{} timeout 60 bash -c '. "$0"; program_launch "$@" >/dev/null 2>&1 || exit 1' \
        "$here/../programs/program.bash" "$mpi" "$1" ./checked
}

strategies=(late reverse eager ascending descending get-first put-first synchronous elements slow bytes random)
bad=0 programs=0
complain() {
    echo "$name: $*"
    bad=$((bad + 1))
}
if [ ${#first[@]} = 0 ]; then
    echo "| program |$(printf ' %s |' "${strategies[@]}")"
    echo "|---|$(printf -- '---|%.0s' "${strategies[@]}")"
fi
for file in "$here"/latent/*.c; do
    name=$(basename "$file" .c)
    grep -qE "$pattern" <<<"$name" || continue
    ranks=$(program_header "$file" ranks)
    compile "$name" checked -DASSERTS
    compile "$name" bug
    compile "$name" repaired -DREPAIRED -DASSERTS
    programs=$((programs + 1))
    plain_runs "$ranks" || complain "fails in a plain run"
    stress bug "$ranks" "$runs" "${first[@]}"
    code=$?
    [ $code = 66 ] || { complain "stress does not show it: exit code $code" && tail -3 log; }
    if [ ${#first[@]} = 0 ]; then
        row="| $name |"
        for strategy in "${strategies[@]}"; do
            row+=" $(awk -F'\t' -v s="$strategy" '$2 == s && $3 != "same" { found = found ? found : $3 } END { print found }' table) |"
        done
        echo "$row"
    fi
    stress repaired "$ranks" "${repaired:-$runs}"
    code=$?
    if [ $code != 0 ] || [ "$(grep -c . table)" != "${repaired:-$runs}" ]; then
        complain "the repaired program: exit code $code" && head -8 log
    fi
done
echo "$mpi: $programs programs, $bad failures"
[ $bad = 0 ] && [ $programs -gt 0 ]
