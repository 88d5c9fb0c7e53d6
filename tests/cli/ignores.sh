#!/usr/bin/env bash
# Comments `regatta: ignore(rule)` in the source, for check, run and report alike.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"

# races SEND STORE: a program whose send and store race; what is given stands behind or above these.
races() {
    cat <<CODE
#include <mpi.h>
static int buf[8];
int main(int argc, char **argv)
{
    MPI_Request req;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
$1
$2
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Recv(buf, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
CODE
}
send='        MPI_Isend(buf, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);'
long=$'        MPI_Isend(buf, 8, MPI_INT,\n                  1, 0, MPI_COMM_WORLD, &req);'
store='        buf[3] = 1;'
check=("$REGATTA" check --mpi "$MPI")

races "$send" "$store" >plain.c
try "${check[@]}" plain.c
code_is 66
err_lacks suppressed

# ignored NAME: it is, and the last line says so.
ignored() {
    try "${check[@]}" "$1"
    code_is 0
    err_has '^regatta: 0 errors, 0 warnings.* · 1 suppressed'
    err_lacks 'note:'
}
# told NAME: it is reported all the same.
told() {
    try "${check[@]}" "$1"
    code_is 66
    err_lacks suppressed
}
ask='regatta: ignore(local-race)'
races "$send // $ask" "$store" >beside_first.c && ignored beside_first.c
races "$send" "$store /* $ask */" >beside_second.c && ignored beside_second.c
races "$long // $ask" "$store" >last_line_of_call.c && ignored last_line_of_call.c
races "$send" "        // $ask: nobody looks
        // at these bytes
$store" >above.c && ignored above.c
races "$send" "$store // regatta: ignore( usage , local-race ) as agreed" >list.c && ignored list.c
races "$send" "$store // regatta: ignore(*-race)" >pattern.c && ignored pattern.c
races "$send" "$store // $ask" >cxx.cpp && ignored cxx.cpp

races "$send" "$store // regatta: ignore(remote-race)" >other_rule.c && told other_rule.c
races "$send" "        rank = 0; // $ask
$store" >beside_the_line_above.c && told beside_the_line_above.c
races "$send" "        // $ask

$store" >gap.c && told gap.c
races "$send" "        const char *s = \"// $ask\"; buf[3] = s[0];" >string.c && told string.c

# What is no rule, and what is of no use. A file without a finding is looked at, too.
races "$send" "$store // regatta: ignore(local-rice)" >misspelt.c && told misspelt.c
err_has "^regatta: note: misspelt.c:11: there is no rule 'local-rice'"
races "$send" "$store // regatta: ignore" >empty.c && told empty.c
err_has '^regatta: note: empty.c:11: what to ignore is missing'
printf 'int nothing; // %s\n' "$ask" >unused.c
try "${check[@]}" beside_first.c unused.c
code_is 0
err_lacks 'fits no finding'
try "${check[@]}" --verbose beside_first.c unused.c
err_has '^regatta: note: unused.c:1: ignore(local-race) fits no finding'
err_lacks 'beside_first.c:10: ignore'

# Nothing of it in the files that are written.
try "${check[@]}" --quiet --json found.json beside_first.c
code_is 0
[ "$(jq '.findings | length' found.json)" = 0 ] || fail "the file has what is ignored"

# A run, and its records shown again.
"$REGATTA" cc --mpi "$MPI" -g -o plain plain.c || fail "plain.c does not compile"
"$REGATTA" cc --mpi "$MPI" -g -o above above.c || fail "above.c does not compile"
try "$REGATTA" run -n 2 ./plain
code_is 66
try "$REGATTA" run -n 2 --keep-records kept ./above
code_is 0
err_has '^regatta: 0 errors, 0 warnings.* · 1 suppressed'
try "$REGATTA" report kept
code_is 0
out_has ' · 1 suppressed'

# Fortran. The comment is one of the language: behind a // it is none.
if command -v "mpifort.$MPI" >/dev/null; then
    fortran() {
        cat <<CODE
program main
    implicit none
    include 'mpif.h'
    integer :: buf(8), request, rank, err
    call MPI_Init(err)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
    if (rank == 0) then
        call MPI_Isend(buf, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, &
                       request, err)
        buf(3) = 1 $1
        call MPI_Wait(request, MPI_STATUS_IGNORE, err)
    else if (rank == 1) then
        call MPI_Recv(buf, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, err)
    end if
    call MPI_Finalize(err)
end program
CODE
    }
    fortran "" >plain.f90
    fortran "! $ask" >ignored.f90
    "$REGATTA" fc --mpi "$MPI" -g -o plain_f plain.f90 || fail "plain.f90 does not compile"
    "$REGATTA" fc --mpi "$MPI" -g -o ignored_f ignored.f90 || fail "ignored.f90 does not compile"
    try "$REGATTA" run -n 2 ./plain_f
    code_is 66
    try "$REGATTA" run -n 2 ./ignored_f
    code_is 0
    err_has ' · 1 suppressed'
fi
finish
