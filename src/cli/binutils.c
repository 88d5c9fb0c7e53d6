#include "binutils.h"
#include "cli.h"
#include "compilation.h"
#include "paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"gcc-ar",      "gcc-ranlib", "gcc-nm", "llvm-ar",
                                    "llvm-ranlib", "llvm-nm",    NULL};

bool binutils_has(const char *name)
{
    for (const char *const *one = names; *one; one++)
        if (!strcmp(name, *one))
            return true;
    return false;
}

/* gcc-ar-12, else gcc-ar, else ar: which needs no plug-in for objects without intermediate code. */
static char *find_tool(const char *name, int version)
{
    char *versioned = checked_printf("%s-%d", name, version);
    char *path = version ? paths_program(versioned) : NULL;
    free(versioned);
    if (!path)
        path = paths_program(name);
    if (!path)
        path = paths_program(strchr(name, '-') + 1);
    return path;
}

void binutils_become(char **argv)
{
    const char *how;
    bool of_clang = !strncmp(argv[0], "llvm-", 5);
    char *tool = find_tool(argv[0], compilation_version(mpi_default(NULL, &how), of_clang));
    if (!tool)
        fail(EXIT_INTERNAL, "%s was not found on PATH", argv[0]);
    argv[0] = tool;
    execv(tool, argv);
    fail(EXIT_INTERNAL, "cannot start %s: %s", tool, strerror(errno));
}
