#include "system_headers.h"

#include <stddef.h>
#include <string.h>

/* A path that begins with `above` and holds `part`, and after that `below`. */
static const struct {
    const char *above, *part, *below;
} system_places[] = {
    {"/usr/include/", "", ""},         /* packages of the distribution */
    {"/usr/local/include/", "", ""},   /* what was installed beside them */
    {"/usr/lib", "/include/", ""},     /* packages in a directory of their own: Open MPI, LLVM */
    {"/", "/include/c++/", ""},        /* libstdc++ and libc++, wherever the compiler is */
    {"/", "/lib/gcc/", "include/"},    /* gcc's own headers, likewise */
    {"/", "/lib64/gcc/", "include/"},  /* … */
    {"/", "/lib/clang/", "include/"},  /* clang's */
    {"/", "/lib64/clang/", "include/"} /* … */
};

bool is_system_header(const char *path)
{
    for (size_t i = 0; i < sizeof system_places / sizeof system_places[0]; i++) {
        size_t above = strlen(system_places[i].above);
        const char *part = strncmp(path, system_places[i].above, above)
                               ? NULL
                               : strstr(path, system_places[i].part);
        if (part && strstr(part + strlen(system_places[i].part), system_places[i].below))
            return true;
    }
    return false;
}
