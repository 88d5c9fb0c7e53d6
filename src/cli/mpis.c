#include "mpis.h"
#include "cli.h"
#include "paths.h"
#include "findings/checked.h"

#include <stdlib.h>
#include <string.h>

const struct mpi mpis[] = {
    {
        .name = "mpich",
        .title = "MPICH",
        .package = "mpich",
        .runtime = "libregatta-mpich.so",
        .launcher_names = {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich"},
        .launcher_built_with = REGATTA_MPICH_EXEC,
        .compiler_names = {{"mpicc.mpich"},
                           {"mpicxx.mpich", "mpic++.mpich"},
                           {"mpifort.mpich", "mpif90.mpich"}},
        .plain_compiler = {"mpicc", "mpicxx", "mpifort"},
    },
    {
        .name = "openmpi",
        .title = "Open MPI",
        .package = "openmpi-bin libopenmpi-dev",
        .runtime = "libregatta-openmpi.so",
        .launcher_names = {"mpiexec.openmpi", "mpirun.openmpi", "orterun"},
        .launcher_built_with = REGATTA_OPENMPI_EXEC,
        .compiler_names = {{"mpicc.openmpi"},
                           {"mpicxx.openmpi", "mpic++.openmpi"},
                           {"mpifort.openmpi", "mpif90.openmpi"}},
        .plain_compiler = {"mpicc", "mpicxx", "mpifort"},
    },
};

const int mpi_count = sizeof mpis / sizeof mpis[0];

const struct mpi *mpi_named(const char *name)
{
    for (int i = 0; i < mpi_count; i++)
        if (!strcmp(mpis[i].name, name))
            return &mpis[i];
    return NULL;
}

/* Open MPI's wrappers and launcher say so; MPICH's wrappers name its library. */
const struct mpi *mpi_of_mpicc(void)
{
    static bool looked;
    static const struct mpi *found;
    if (looked)
        return found;
    looked = true;
    char *version = paths_output_of((char *[]){"mpicc", "-showme:version", NULL});
    if (version && strstr(version, "Open MPI")) {
        found = mpi_named("openmpi");
    } else {
        char *line = paths_output_of((char *[]){"mpicc", "-show", NULL});
        if (line && strstr(line, "-lmpi"))
            found = mpi_named("mpich");
        free(line);
    }
    free(version);
    return found;
}

const struct mpi *mpi_asked_for(const char *asked, const char **how)
{
    *how = "--mpi";
    if (!asked) {
        *how = "REGATTA_MPI";
        asked = getenv("REGATTA_MPI");
    }
    if (!asked || !*asked)
        return NULL;
    const struct mpi *mpi = mpi_named(asked);
    if (!mpi)
        fail(EXIT_USAGE, "%s is mpich or openmpi, not '%s'", *how, asked);
    return mpi;
}

const struct mpi *mpi_default(const char *asked, const char **how)
{
    const struct mpi *mpi = mpi_asked_for(asked, how);
    if (mpi)
        return mpi;
    mpi = mpi_of_mpicc();
    if (mpi) {
        *how = "what mpicc is";
        return mpi;
    }
    *how = "the first that is installed";
    for (int i = 0; i < mpi_count && !mpi; i++) {
        char *launcher = mpi_launcher(&mpis[i]);
        if (launcher)
            mpi = &mpis[i];
        free(launcher);
    }
    if (!mpi)
        fail(EXIT_INTERNAL, "no MPI found; install mpich or Open MPI (see regatta doctor)");
    return mpi;
}

static char *first_program(const char *const *names, int count)
{
    char *path = NULL;
    for (int i = 0; i < count && names[i] && !path; i++)
        path = paths_program(names[i]);
    return path;
}

char *mpi_launcher(const struct mpi *mpi)
{
    char *path = first_program(mpi->launcher_names, 3);
    if (!path && *mpi->launcher_built_with)
        path = paths_program(mpi->launcher_built_with);
    if (!path && mpi_of_mpicc() == mpi)
        path = paths_program("mpiexec");
    return path;
}

char *mpi_compiler(const struct mpi *mpi, enum language language)
{
    char *path = first_program(mpi->compiler_names[language], 3);
    if (!path && mpi_of_mpicc() == mpi)
        path = paths_program(mpi->plain_compiler[language]);
    return path;
}

static char *library_path(const char *name)
{
    char *in_build = checked_printf("lib/%s", name);
    char *installed = checked_printf("../lib/regatta/%s", name);
    char *path = paths_own_file(in_build, installed);
    free(in_build);
    free(installed);
    return path;
}

char *mpi_runtime(const struct mpi *mpi)
{
    return library_path(mpi->runtime);
}

static char *library_or_fail(const struct mpi *mpi, const char *name)
{
    char *path = library_path(name);
    if (!path) {
        char *directory = paths_own_directory();
        fail(EXIT_INTERNAL,
             "%s is neither in %s/lib nor in %s/../lib/regatta: was Regatta built for %s?", name,
             directory, directory, mpi->title);
    }
    /* ld.so separates the entries of LD_PRELOAD by these and knows no quoting. */
    if (strpbrk(path, ": "))
        fail(EXIT_INTERNAL, "%s cannot be preloaded: its path has a space or colon", path);
    return path;
}

char *mpi_runtime_or_fail(const struct mpi *mpi)
{
    return library_or_fail(mpi, mpi->runtime);
}

char *mpi_scheduler_or_fail(const struct mpi *mpi)
{
    char *name = checked_printf("libregatta-stress-%s.so", mpi->name);
    char *path = library_or_fail(mpi, name);
    free(name);
    return path;
}
