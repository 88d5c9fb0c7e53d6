#!/usr/bin/env bash
# What a run cannot look at is said in its last line: libraries without checks, whenever they were loaded, calls past Regatta in them, a compiler that
# there is no plug-in for.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
export REGATTA_MPI=$MPI
cat >help.c <<'END'
#include <mpi.h>
void help(void) { BARRIER(MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD); }
END
cat >program.c <<'END'
#include <mpi.h>
void help(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    help();
    MPI_Finalize();
    return 0;
}
END
link() { "$REGATTA" cc -g program.c -L. -lhelp -Wl,-rpath,"$PWD" -o program; }

"$REGATTA" cc -DBARRIER=MPI_Barrier -shared -fPIC help.c -o libhelp.so
link
try "$REGATTA" run -n 2 ./program
code_is 0
err_lacks 'not looked at'

"mpicc.$MPI" -DBARRIER=MPI_Barrier -shared -fPIC help.c -o libhelp.so
try "$REGATTA" run -n 2 ./program
code_is 0
err_has 'not looked at: .*loads and stores of [^ ]*libhelp.so (not built by regatta cc'
err_lacks 'PMPI_'
try "$REGATTA" run --strict -n 2 ./program
code_is 3

"mpicc.$MPI" -DBARRIER=PMPI_Barrier -shared -fPIC help.c -o libhelp.so
try "$REGATTA" run -n 2 ./program
err_has 'not looked at: .*calls by PMPI_ names in [^ ]*libhelp.so'

# The same library, loaded when MPI has been started.
cat >loader.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    void *library = dlopen("./libhelp.so", RTLD_NOW);
    void (*help)(void) = (void (*)(void))dlsym(library, "help");
    help();
    MPI_Finalize();
    return 0;
}
END
"$REGATTA" cc -g loader.c -o loader -ldl
try "$REGATTA" run -n 2 ./loader
code_is 0
err_has 'not looked at: .*calls by PMPI_ names in [^ ]*libhelp.so'
err_has 'not looked at: .*loads and stores of [^ ]*libhelp.so (not built by regatta cc'
"$REGATTA" cc -DBARRIER=MPI_Barrier -shared -fPIC help.c -o libhelp.so
try "$REGATTA" run -n 2 ./loader
code_is 0
err_lacks 'not looked at'

# Regatta as it would be had it been built with another compiler. It looks for its files beside itself.
own=$(dirname "$REGATTA")
mkdir tree tree/lib
cp "$REGATTA" tree/regatta
ln -s "$own"/lib/* tree/lib/
rm -f tree/lib/regatta_gcc*.so tree/lib/regatta_clang*.so
"$REGATTA" cc -DBARRIER=MPI_Barrier -shared -fPIC help.c -o libhelp.so
try tree/regatta cc -g program.c -L. -lhelp -Wl,-rpath,"$PWD" -o program
code_is 0
err_has 'no plug-in for [a-z]* [0-9]'
try tree/regatta run -n 2 ./program
code_is 0
err_has 'not looked at: some loads and stores (no plug-in for the compiler that was used)'
try tree/regatta doctor
out_has 'missing  compiler plug-in'
try "$REGATTA" doctor
out_has 'ok       compiler plug-in'
finish
