#!/usr/bin/env bash
# `regatta check --changed-since REV`: only findings in what git says has changed.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1
git config --global user.name tester
git config --global user.email tester@example.org
git config --global diff.noprefix true # whatever people like

check=("$REGATTA" check --mpi "$MPI")

# Where there is nothing to compare with.
echo 'int nothing;' >nothing.c
try "${check[@]}" --changed-since HEAD nothing.c
refused 'in no git repository'
try env PATH="$scratch/empty" "${check[@]}" --changed-since HEAD nothing.c
refused 'git is not installed'
rm nothing.c

# Two files, a race in each; the one of ring.c is between two functions that a third one calls.
git init -q .
mkdir src
cat >"src/two parts.c" <<'CODE'
#include <mpi.h>
int halo[8];
void exchange(void)
{
    MPI_Request req;
    MPI_Isend(halo, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    halo[3] = 1;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
}

int nobody_minds(int x)
{
    return x + 1;
}
CODE
cat >src/ring.c <<'CODE'
#include <mpi.h>
int ring[8];
static void begin(MPI_Request *req)
{
    MPI_Isend(ring, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, req);
}

static void fill(void)
{
    ring[5] = 2;
}

void turn(void)
{
    MPI_Request req;
    begin(&req);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    fill();
    MPI_Wait(&req, MPI_STATUS_IGNORE);
}
CODE
git add . && git commit -qm one
try "${check[@]}" src
code_is 66
err_has '^regatta: 1 error,'

try "${check[@]}" --changed-since nowhere src
refused "there is no revision 'nowhere'"
try "${check[@]}" --changed-since --all src
refused "there is no revision '--all'"

# shows N LEFT_OUT: as many errors, as many left out.
shows() {
    try "${check[@]}" --changed-since HEAD src
    err_has "^regatta: $1 error"
    if [ "$2" = 0 ]; then err_lacks 'in unchanged code'; else err_has " · $2 in unchanged code"; fi
    if [ "$1" = 0 ]; then code_is 0; else code_is 66; fi
}
shows 0 1
# A line that is taken away has no line any more: its function tells, here that of the callers.
sed -i 17d src/ring.c
shows 1 1
err_has 'ring.c:5'
# What is in another function, or between functions, is not about the finding.
git commit -qam two
sed -i 's/x + 1/x + 2/' "src/two parts.c"
shows 0 2
sed -i '/^int nobody/i int more;' "src/two parts.c"
shows 0 2
sed -i '10d' "src/two parts.c"
shows 0 2
# A line that looks like the name of a file in a diff does not lead astray.
printf '++ new/src/ring.c\n@@ -1 +1,99 @@\n' >>README
git add README
shows 0 2
sed -i 's/halo\[3\] = 1/halo[3] = 3/' "src/two parts.c"
shows 1 1
err_has 'two parts.c:7'
# Since an earlier revision there is more; seen from below, the same.
try "${check[@]}" --changed-since HEAD~1 src
err_has '^regatta: 2 errors'
err_lacks 'in unchanged code'
cd src || exit 1
try "${check[@]}" --changed-since HEAD .
err_has '^regatta: 1 error'
err_has ' · 1 in unchanged code'
cd ..
# What git does not know yet is new; a file that has moved only is not.
git checkout -q .
cp src/ring.c src/ring_again.c
sed -i 's/turn/turn_again/; s/ring\[8\]/other[8]/; s/ring/other/' src/ring_again.c
shows 1 2
err_has 'ring_again.c:5'
rm src/ring_again.c
git mv src/ring.c src/moved.c
shows 0 2
finish
