/* Sources to bitcode, with clang under the MPI's own compiler wrapper, several at a time. */
#include "compile.h"
#include "findings/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every source is compiled the same way, whatever -O level its build uses: unoptimised, so that
 * each access keeps its line, but without the marks that forbid later simplification. No passes:
 * what must be inlined is inlined by us, who remember where its frame ended. */
static const char *const fixed_flags[] = {
    "-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes",
    "-fno-discard-value-names", "-emit-llvm", "-c",
    /* old C that other compilers only warn about */
    "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
    "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types"};

struct job {
    pid_t pid;
    struct unit *unit;
    char *output, *log, *rule, *key;
    long long started;
};

static char **compiler_environment(void)
{
    static char *const chosen[] = {"MPICH_CC=clang-19", "MPICH_CXX=clang++-19", "OMPI_CC=clang-19",
                                   "OMPI_CXX=clang++-19"};
    size_t count = 0, n = 0;
    while (environ[count])
        count++;
    char **environment = checked(calloc(count + 5, sizeof *environment));
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "MPICH_C", 7) && strncmp(environ[i], "OMPI_C", 6))
            environment[n++] = environ[i];
    for (size_t i = 0; i < 4; i++)
        environment[n++] = chosen[i];
    return environment;
}

pid_t compiler_start(char *const *words, const char *directory, const char *log)
{
    char **environment = compiler_environment();
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (directory)
        posix_spawn_file_actions_addchdir_np(&actions, directory);
    int failed = posix_spawnp(&pid, words[0], &actions, NULL, words, environment);
    if (failed) {
        fprintf(stderr, "regatta: cannot run %s: %s\n", words[0], strerror(failed));
        pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return pid;
}

enum { FROM_CACHE = -1 };

static void start(const struct units *units, struct unit *unit, size_t number, struct job *job)
{
    LIST(char *) words = {0};
    char *compiler;
    *job = (struct job){.unit = unit};
    const char *name = unit->is_cxx ? "mpicxx" : "mpicc";
    if (asprintf(&compiler, units->mpi ? "%s.%s" : "%s", name, units->mpi) < 0 ||
        asprintf(&job->output, "%s/%zu.bc", units->scratch, number) < 0 ||
        asprintf(&job->log, "%s/%zu.log", units->scratch, number) < 0 ||
        asprintf(&job->rule, "%s/%zu.d", units->scratch, number) < 0)
        checked(NULL);
    APPEND(&words, compiler);
    for EACH (flag, &unit->flags)
        APPEND(&words, *flag);
    for (size_t i = 0; i < sizeof fixed_flags / sizeof fixed_flags[0]; i++)
        APPEND(&words, (char *)fixed_flags[i]);
    if (unit->is_cxx) {
        APPEND(&words, "-x");
        APPEND(&words, "c++");
    }
    APPEND(&words, unit->file);
    job->key = cache_key(words.items, words.count, unit->directory);
    char *cached = cache_find(&units->cache, job->key);
    if (cached) {
        free(job->output);
        job->output = cached;
        job->started = FROM_CACHE;
        free(compiler);
        DROP(&words);
        return;
    }
    APPEND(&words, "-MD");
    APPEND(&words, "-MF");
    APPEND(&words, job->rule);
    APPEND(&words, "-o");
    APPEND(&words, job->output);
    APPEND(&words, NULL);

    job->started = cache_now();
    job->pid = compiler_start(words.items, unit->directory, job->log);
    free(compiler);
    DROP(&words);
}

void compiler_explain(const struct units *units, const struct unit *unit, const char *path)
{
    char line[512], best[512] = "the compiler failed";
    FILE *log = fopen(path, "r");
    while (log && fgets(line, sizeof line, log)) {
        line[strcspn(line, "\n")] = 0;
        const char *error = strstr(line, "error");
        if (error && !strstr(error, "error: Semantic errors in")) { /* flang's first line */
            snprintf(best, sizeof best, "%s", line);
            break;
        }
    }
    if (log)
        fclose(log);
    progress_clear();
    if (!units->quiet)
        fprintf(stderr, "regatta: skipped %s: %s\n", unit->file, best);
}

static void finish(struct units *units, struct job *job, int status)
{
    if (job->started == FROM_CACHE) {
        job->unit->bitcode = job->output;
        units->from_cache++;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        job->unit->bitcode = job->output;
        cache_keep(&units->cache, job->key, job->output, job->rule, job->unit->directory,
                   job->started);
    } else {
        compiler_explain(units, job->unit, job->log);
        units->failed++;
        free(job->output);
    }
    free(job->log);
    free(job->rule);
    free(job->key);
    job->pid = 0;
}

void units_compile(struct units *units, int jobs)
{
    units_compile_fortran(units, jobs);
    struct job running[64] = {0};
    size_t limit = jobs < 1 ? 1 : jobs > 64 ? 64 : (size_t)jobs, active = 0, next = 0;
    while (active || next < units->list.count) {
        progress_show("compiled", next - active, units->list.count);
        if (active < limit && next < units->list.count) {
            struct unit *unit = &units->list.items[next];
            if (unit->is_bitcode || unit->is_fortran) {
                next++;
                continue;
            }
            size_t slot = 0;
            while (running[slot].pid > 0)
                slot++;
            start(units, unit, next++, &running[slot]);
            if (running[slot].pid > 0)
                active++;
            else
                finish(units, &running[slot], -1);
            continue;
        }
        int status;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        for (size_t slot = 0; slot < limit; slot++)
            if (running[slot].pid == pid) {
                finish(units, &running[slot], status);
                active--;
            }
    }
    progress_clear();
}
