/* `regatta check -- make`: the build runs as always, but every compiler name on PATH leads to a
 * small script first, which notes the call and then becomes the real compiler. */
#include "load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const compilers[] = {"cc",
                                        "gcc",
                                        "clang",
                                        "c99",
                                        "c11",
                                        "icx",
                                        "c++",
                                        "g++",
                                        "clang++",
                                        "icpx",
                                        "mpicc",
                                        "mpicxx",
                                        "mpic++",
                                        "mpiCC",
                                        "mpicc.mpich",
                                        "mpicc.openmpi",
                                        "mpiicc",
                                        "mpiicpc",
                                        "mpicxx.mpich",
                                        "mpicxx.openmpi",
                                        "mpic++.openmpi",
                                        "clang-19",
                                        "clang++-19",
                                        "gcc-12",
                                        "g++-12",
                                        "regatta-cc",
                                        "regatta-c++",
                                        "gfortran",
                                        "gfortran-12",
                                        "flang-new-19",
                                        "mpifort",
                                        "mpif90",
                                        "mpif77",
                                        "mpifort.mpich",
                                        "mpif90.mpich",
                                        "mpif77.mpich",
                                        "mpifort.openmpi",
                                        "mpif90.openmpi",
                                        "mpif77.openmpi",
                                        "regatta-fc"};

/* One file per call: directory and words, each followed by a zero byte. REGATTA_RECORDING is set
 * for the compiler itself: mpicc calls gcc, and once is enough. */
static const char script[] = "#!/bin/sh\n"
                             "PATH=$REGATTA_RECORD_PATH\n"
                             "if [ -z \"$REGATTA_RECORDING\" ]; then\n"
                             "    export REGATTA_RECORDING=1\n"
                             "    note=$(mktemp \"$REGATTA_RECORD_TO/call-XXXXXX\")\n"
                             "    printf '%s\\0' \"$PWD\" \"$0\" \"$@\" >\"$note\"\n"
                             "fi\n"
                             "exec \"${0##*/}\" \"$@\"\n";

static bool write_scripts(const char *folder)
{
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
        char *path;
        if (asprintf(&path, "%s/%s", folder, compilers[i]) < 0)
            checked(NULL);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0700);
        bool written = file >= 0 && write(file, script, sizeof script - 1) == sizeof script - 1;
        if (file >= 0)
            close(file);
        free(path);
        if (!written)
            return false;
    }
    return true;
}

static int run(char *const *command, const char *scripts, const char *notes)
{
    pid_t pid = fork();
    if (pid == 0) {
        char *path;
        const char *old = getenv("PATH");
        if (asprintf(&path, "%s:%s", scripts, old ? old : "/usr/bin:/bin") < 0)
            _exit(127);
        setenv("REGATTA_RECORD_PATH", old ? old : "/usr/bin:/bin", 1);
        setenv("REGATTA_RECORD_TO", notes, 1);
        unsetenv("REGATTA_RECORDING");
        setenv("PATH", path, 1);
        execvp(command[0], command);
        fprintf(stderr, "regatta: cannot run %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void take_note(struct units *units, const char *path)
{
    LIST(char *) words = {0};
    FILE *file = fopen(path, "rb");
    char *word = NULL;
    size_t room = 0;
    while (file && getdelim(&word, &room, 0, file) > 0)
        APPEND(&words, checked(strdup(word)));
    if (file)
        fclose(file);
    free(word);
    if (words.count > 2)
        units_take_command(units, words.items[0], words.items + 1, words.count - 1);
    for EACH (item, &words)
        free(*item);
    DROP(&words);
}

static void take_notes(struct units *units, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *path;
        if (entries[i]->d_name[0] != '.' &&
            asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0) {
            take_note(units, path);
            free(path);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int units_record(struct units *units, char *const *command)
{
    char *scripts, *notes;
    if (asprintf(&scripts, "%s/bin", units->scratch) < 0 ||
        asprintf(&notes, "%s/calls", units->scratch) < 0)
        checked(NULL);
    int code = -1;
    if (mkdir(scripts, 0700) == 0 && mkdir(notes, 0700) == 0 && write_scripts(scripts)) {
        code = run(command, scripts, notes);
        take_notes(units, notes);
    } else {
        fprintf(stderr, "regatta: cannot prepare %s: %s\n", scripts, strerror(errno));
    }
    free(scripts);
    free(notes);
    return code;
}
