#include "output.h"
#include "checked.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Devices, pipes and the like cannot be replaced by a rename. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* The file that a symbolic link means, so that the link stays. To be freed. */
static char *target_of(const char *path)
{
    char real[PATH_MAX];
    return checked_strdup(realpath(path, real) ? real : path);
}

/* Opens a temporary file beside the target; its name is left in `temporary` (to be freed). */
static int open_temporary(const char *target, char **temporary)
{
    struct stat status;
    if (stat(target, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            errno = EISDIR;
            return -1;
        }
        if (access(target, W_OK) != 0)
            return -1;
    }
    *temporary = checked_printf("%s.XXXXXX", target);
    int descriptor = mkstemp(*temporary);
    if (descriptor < 0) {
        int problem = errno;
        free(*temporary);
        errno = problem;
        return -1;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return descriptor;
}

bool output_possible(const char *path)
{
    if (!strcmp(path, "-"))
        return true;
    if (!*path) {
        errno = ENOENT;
        return false;
    }
    if (is_special(path))
        return access(path, W_OK) == 0;
    char *target = target_of(path);
    char *temporary;
    int descriptor = open_temporary(target, &temporary);
    int problem = errno;
    free(target);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(temporary);
        free(temporary);
    }
    errno = problem;
    return descriptor >= 0;
}

static bool write_and_close(FILE *file, bool (*write)(FILE *out, const void *what),
                            const void *what)
{
    bool good = write(file, what);
    int problem = errno;
    if (fclose(file) != 0) {
        problem = good ? errno : problem;
        good = false;
    }
    errno = problem;
    return good;
}

bool output_write(const char *path, bool (*write)(FILE *out, const void *what), const void *what)
{
    if (!strcmp(path, "-"))
        return write(stdout, what) && fflush(stdout) == 0;
    if (is_special(path)) {
        FILE *file = fopen(path, "w");
        return file && write_and_close(file, write, what);
    }
    char *target = target_of(path);
    char *temporary;
    int descriptor = open_temporary(target, &temporary);
    bool good = false;
    int problem = errno;
    if (descriptor >= 0) {
        FILE *file = fdopen(descriptor, "w");
        good = file && write_and_close(file, write, what) && rename(temporary, target) == 0;
        problem = errno;
        if (!good)
            unlink(temporary);
        free(temporary);
    }
    free(target);
    errno = problem;
    return good;
}
