#include "guard.h"

#include "grow.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ATTEMPTS = 32, NAME = 512 };

/* Shared by all attempts. */
struct guard {
    char busy[NAME];
    char fatal[ATTEMPTS][NAME];
    unsigned attempts;
};

static struct guard *guard;

static void remember(char *to, const char *name)
{
    snprintf(to, NAME, "%s", name ? name : "");
}

void guard_start(void (*cleanup)(void *context), void *context)
{
    guard = mmap(NULL, sizeof *guard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (guard == MAP_FAILED) {
        guard = NULL;
        return;
    }
    fflush(NULL);
    for (;;) {
        pid_t pid = fork();
        if (pid <= 0)
            return;
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(status))
            _exit(WEXITSTATUS(status));
        bool known = guard->busy[0] && guard->attempts < ATTEMPTS;
        if (!known || WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM) {
            fprintf(stderr, "regatta: check: the analysis was killed by signal %d\n",
                    WTERMSIG(status));
            cleanup(context);
            _exit(70);
        }
        memcpy(guard->fatal[guard->attempts++], guard->busy, NAME);
        fprintf(stderr, "regatta: skipped %s: it brings the analysis down\n", guard->busy);
        remember(guard->busy, NULL);
    }
}

void guard_busy(const char *name)
{
    if (guard)
        remember(guard->busy, name);
}

bool guard_was_fatal(const char *name)
{
    for (unsigned i = 0; guard && i < guard->attempts; i++)
        if (!strncmp(guard->fatal[i], name, NAME - 1))
            return true;
    return false;
}

void guard_end(void)
{
    if (guard)
        munmap(guard, sizeof *guard);
    guard = NULL;
}
