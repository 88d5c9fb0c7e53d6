#include "patterns.h"
#include "checked.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Tries the whole path, then what stands behind each slash. */
static bool path_fits(const char *pattern, const char *path, int flags)
{
    while (path && *path) {
        if (fnmatch(pattern, path, flags) == 0)
            return true;
        path = strchr(path, '/');
        if (path)
            path++;
    }
    return false;
}

/* A file below the working directory goes by its relative name; people also write the absolute one,
 * or a part of the directory. There a * stays within one name unless the pattern begins with a
 * slash: in /home/me/parts, part* is not to fit every file. */
bool pattern_fits_file(const char *pattern, const char *file, const char *working_directory)
{
    if (!file || path_fits(pattern, file, 0))
        return file != NULL;
    if (*file == '/')
        return false;
    char *directory = checked_strdup(working_directory), *slash;
    while (!strncmp(file, "../", 3) && (slash = strrchr(directory, '/'))) {
        *slash = '\0';
        file += 3;
    }
    char *absolute = checked_printf("%s/%s", directory, file);
    bool fits = *pattern == '/' ? fnmatch(pattern, absolute, 0) == 0
                                : path_fits(pattern, absolute, FNM_PATHNAME);
    free(absolute);
    free(directory);
    return fits;
}

bool pattern_fits_path(const char *pattern, const char *path)
{
    return path_fits(pattern, path, 0);
}

bool pattern_fits_function(const char *pattern, const char *function)
{
    while (function && *function) {
        if (fnmatch(pattern, function, 0) == 0)
            return true;
        function = strstr(function, "::");
        if (function)
            function += 2;
    }
    return false;
}
