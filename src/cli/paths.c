#include "paths.h"
#include "cli.h"
#include "findings/checked.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_executable(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *paths_program(const char *name)
{
    if (strchr(name, '/'))
        return is_executable(name) ? checked_strdup(name) : NULL;
    const char *path = getenv("PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*name) {
        size_t length = strcspn(path, ":");
        char *file = length ? checked_printf("%.*s/%s", (int)length, path, name)
                            : checked_printf("./%s", name); /* an empty part is the cwd */
        if (is_executable(file))
            return file;
        free(file);
        if (!path[length])
            break;
        path += length + 1;
    }
    return NULL;
}

char *paths_own_directory(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        fail(EXIT_INTERNAL, "cannot find out where regatta is: /proc/self/exe: %s",
             strerror(errno));
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    return checked_strdup(path);
}

char *paths_own_file(const char *in_build, const char *installed)
{
    char *directory = paths_own_directory();
    const char *candidates[2] = {in_build, installed};
    char *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        char *path = checked_printf("%s/%s", directory, candidates[i]);
        found = realpath(path, NULL); /* without "..": it goes into reports and environments */
        free(path);
    }
    free(directory);
    return found;
}

char *paths_working_directory(void)
{
    char path[PATH_MAX];
    if (!getcwd(path, sizeof path))
        fail(EXIT_USAGE, "the working directory cannot be read: %s", strerror(errno));
    return checked_strdup(path);
}

char *paths_absolute(const char *path)
{
    if (path[0] == '/')
        return checked_strdup(path);
    char *directory = paths_working_directory();
    char *absolute = checked_printf("%s/%s", directory, path);
    free(directory);
    return absolute;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *level)
{
    (void)status;
    (void)type;
    (void)level;
    remove(path);
    return 0;
}

/* Scratch directories of this process, removed however it ends through exit. */
static char *scratch[4];
static int scratch_count;

static void remove_scratch(void)
{
    for (int i = 0; i < scratch_count; i++)
        nftw(scratch[i], remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void paths_remove_at_exit(const char *directory)
{
    if (scratch_count == 0)
        atexit(remove_scratch);
    if (scratch_count < (int)(sizeof scratch / sizeof scratch[0]))
        scratch[scratch_count++] = checked_strdup(directory);
}

char *paths_scratch(const char *prefix, bool in_working_directory)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    char *here = in_working_directory ? paths_working_directory() : paths_absolute(parent);
    char *directory = checked_printf("%s/%s-XXXXXX", here, prefix);
    if (!mkdtemp(directory))
        fail(EXIT_USAGE, "cannot make a directory in %s: %s", here, strerror(errno));
    free(here);
    paths_remove_at_exit(directory);
    return directory;
}

static char *read_all(int descriptor)
{
    size_t length = 0, capacity = 4096;
    char *text = checked_malloc(capacity);
    for (;;) {
        ssize_t got = read(descriptor, text + length, capacity - length - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
        if (capacity - length < 2)
            text = checked_realloc(text, capacity *= 2);
    }
    text[length] = '\0';
    return text;
}

char *paths_output_of(char *const *argv)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail(EXIT_INTERNAL, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        fail(EXIT_INTERNAL, "fork: %s", strerror(errno));
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(ends[1], 1);
        dup2(nothing, 2);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    char *text = read_all(ends[0]);
    close(ends[0]);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
