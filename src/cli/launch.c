#include "launch.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

/* Written before the handlers can run (signals are blocked around fork). */
static volatile pid_t child;

/* A signal that asks to end and has not been dealt with: -number if the terminal has told the child
 * as well. */
static volatile sig_atomic_t asked_to_end;

static bool asks_to_end(int number)
{
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    /* From the kernel means from the terminal, which has told the whole foreground group. Telling
     * the launcher twice would make it give up its orderly shutdown. */
    bool told = info->si_code == SI_KERNEL;
    if (asks_to_end(number) && child > 0 && !asked_to_end)
        asked_to_end = told ? -number : number;
    else if (!told && child > 0)
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

/* Until the child changes, a signal comes, or a while is over. */
static void doze(int descriptor, int milliseconds)
{
    struct pollfd poll_for = {.fd = descriptor, .events = POLLIN};
    if (descriptor >= 0)
        poll(&poll_for, 1, milliseconds);
    else /* an old kernel */
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Somebody wants the run to end, and knows why: see what can be said, then let it be told. */
static void end_by_signal(const struct launch_watch *watch)
{
    int number = asked_to_end;
    if (watch->how)
        *watch->how = LAUNCH_SIGNALLED;
    if (watch->ending)
        watch->ending(watch->context, LAUNCH_SIGNALLED);
    if (number > 0)
        kill(child, number);
    asked_to_end = 0;
}

/* The launcher is asked first: it knows where its processes are. */
static void end_by_timeout(const struct launch_watch *watch)
{
    if (watch->how)
        *watch->how = LAUNCH_TIMED_OUT;
    if (watch->ending)
        watch->ending(watch->context, LAUNCH_TIMED_OUT);
    kill(child, SIGTERM);
}

enum { PATIENCE = 10 }; /* seconds that a launcher may take to end what it started */

static int await(const struct launch_watch *watch)
{
    int status, descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    double begun = now(), told = 0;
    bool signalled = false, abandoned = false;
    for (;;) {
        pid_t done = waitpid(child, &status, watch ? WNOHANG : 0);
        if (done == child)
            break;
        if (done < 0 && errno != EINTR)
            fail(EXIT_INTERNAL, "waitpid: %s", strerror(errno));
        if (!watch) {
            if (asked_to_end > 0)
                kill(child, asked_to_end);
            asked_to_end = 0;
            continue;
        }
        if (asked_to_end && !signalled) {
            signalled = true;
            end_by_signal(watch);
        } else if (asked_to_end) { /* again: only pass it on */
            if (asked_to_end > 0)
                kill(child, asked_to_end);
            asked_to_end = 0;
        }
        if (watch->timeout && !told && !signalled && now() - begun >= watch->timeout) {
            end_by_timeout(watch);
            told = now();
        }
        if (told && !abandoned && now() - told >= PATIENCE) {
            abandoned = true;
            kill(child, SIGKILL);
            if (watch->abandon)
                watch->abandon(watch->context);
        }
        if (watch->tick && !signalled && !told)
            watch->tick(watch->context);
        doze(descriptor, 200);
    }
    if (descriptor >= 0)
        close(descriptor);
    child = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int launch(char *const *argv, const struct launch_watch *watch, int code_if_missing)
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
    int code = await(watch);
    /* The handlers stay: an impatient second signal must not cost the report. */
    if (got == sizeof problem)
        fail(code_if_missing, "cannot start %s: %s", argv[0], strerror(problem));
    return code;
}
