#include "launch.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

/* Written before the handlers can run (signals are blocked around fork). */
static volatile pid_t child;

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    /* From the kernel means from the terminal, which has told the whole foreground group. Telling
     * the launcher twice would make it give up its orderly shutdown. */
    if (info->si_code != SI_KERNEL && child > 0)
        kill(child, number);
    errno = saved;
}

static void install_handlers(struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* nohup and the like stay in force */
            sigaction(passed_on[i], &action, NULL);
    }
}

static void restore_handlers(const struct sigaction *before)
{
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
}

static _Noreturn void become(char *const *argv, const struct sigaction *before,
                             const sigset_t *mask, int report_to)
{
    restore_handlers(before);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], argv);
    int problem = errno;
    ssize_t ignored = write(report_to, &problem, sizeof problem);
    (void)ignored;
    _exit(127);
}

static int await(void (*tick)(void *context), void *context)
{
    int status;
    for (;;) {
        pid_t done = waitpid(child, &status, tick ? WNOHANG : 0);
        if (done == child)
            break;
        if (done < 0 && errno != EINTR)
            fail(EXIT_INTERNAL, "waitpid: %s", strerror(errno));
        if (tick) {
            tick(context);
            nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
        }
    }
    child = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int launch(char *const *argv, void (*tick)(void *context), void *context, int code_if_missing)
{
    struct sigaction before[PASSED_ON];
    sigset_t all, mask;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail(EXIT_INTERNAL, "pipe: %s", strerror(errno));
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    install_handlers(before);
    child = fork();
    if (child < 0)
        fail(EXIT_INTERNAL, "fork: %s", strerror(errno));
    if (child == 0)
        become(argv, before, &mask, ends[1]);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    int problem = 0;
    ssize_t got;
    while ((got = read(ends[0], &problem, sizeof problem)) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    int code = await(tick, context);
    /* The handlers stay: an impatient second signal must not cost the report. */
    if (got == sizeof problem)
        fail(code_if_missing, "cannot start %s: %s", argv[0], strerror(problem));
    return code;
}
