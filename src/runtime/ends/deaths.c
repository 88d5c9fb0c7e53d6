/* Signals that end the process, and the one by which the command asks where its threads are. The
 * handlers only unwind, ask an interpreter, and store into the page: no memory, no lock. */
#include "ends.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "interpose/scripts.h"
#include "interpose/stacks.h"

struct unwinding {
    uint64_t *frames;
    int depth;
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    struct unwinding *unwinding = argument;
    int before = 0;
    uint64_t address = _Unwind_GetIPInfo(context, &before);
    if (!address || unwinding->depth == PAGE_FRAMES)
        return _URC_END_OF_STACK;
    /* Readers look up the byte before an address: all but this are return addresses. */
    unwinding->frames[unwinding->depth++] = address + (before != 0);
    return _URC_NO_REASON;
}

static int unwind(uint64_t *frames)
{
    struct unwinding unwinding = {frames, 0};
    _Unwind_Backtrace(note_frame, &unwinding);
    return unwinding.depth;
}

static void tell_place(int number)
{
    int saved = errno;
    (void)number;
    ends_thread();
    if (runtime_here.place) {
        script_text(runtime_here.place->script, PAGE_SCRIPT);
        runtime_here.place->depth = unwind(runtime_here.place->frames); /* the answer is there */
    }
    errno = saved;
}

static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };
static struct sigaction before[DEADLY];

/* Once told, whatever was there before takes its course: a fault happens again when the handler
 * returns, a signal that was sent is sent again as it was. */
static void tell_death(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    struct page_death *death = &ends_page->death;
    struct timespec now;
    (void)context;
    for (int i = 0; i < DEADLY; i++)
        if (deadly[i] == number)
            sigaction(number, &before[i], NULL);
    if (ends_page && !death->signal) {
        clock_gettime(CLOCK_REALTIME, &now);
        death->seconds = now.tv_sec;
        death->nanoseconds = now.tv_nsec;
        death->code = info->si_code;
        death->place = runtime_here.place ? (int32_t)(runtime_here.place - ends_page->places) : -1;
        death->signal = number;
        death->depth = unwind(death->frames);
    }
    if (info->si_code <= 0)
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
    errno = saved;
}

/* MPI and what it is made of: their handlers print something and end the process, after ours. */
static bool is_of_mpi(const void *handler)
{
    static const char *const names[] = {"libmpi", "libopen-", "libuc", "libpsm", "libfabric"};
    Dl_info info;
    if (stack_is_foreign(handler))
        return true;
    const char *slash = dladdr(handler, &info) ? strrchr(info.dli_fname, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof names / sizeof names[0]; i++)
        if (strncmp(slash + 1, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A program that minds a signal itself is not to notice us. */
static bool is_free(const struct sigaction *known)
{
    if (known->sa_flags & SA_SIGINFO)
        return is_of_mpi((const void *)known->sa_sigaction);
    return known->sa_handler == SIG_DFL ||
           (known->sa_handler != SIG_IGN && is_of_mpi((const void *)known->sa_handler));
}

void deaths_prepare(void)
{
    struct sigaction asked = {.sa_handler = tell_place, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigaction dying = {.sa_sigaction = tell_death, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction known;
    scripts_are_run(); /* looked up now: a handler must not */
    sigemptyset(&asked.sa_mask);
    sigemptyset(&dying.sa_mask);
    if (sigaction(PAGE_SIGNAL, NULL, &known) == 0 && !(known.sa_flags & SA_SIGINFO) &&
        known.sa_handler == SIG_DFL)
        sigaction(PAGE_SIGNAL, &asked, NULL);
    for (int i = 0; i < DEADLY; i++)
        if (sigaction(deadly[i], NULL, &before[i]) == 0 && is_free(&before[i]))
            sigaction(deadly[i], &dying, NULL);
}
