#include "hang.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "interpose/record.h"
#include "interpose/stacks.h"

enum { FRAMES = 48 };

/* One at a time: the handler blocks its own signal, and the command sends one per process. */
static union {
    struct stack stack;
    char room[sizeof(struct stack) + FRAMES * sizeof(void *)];
} hang;

static bool is_in_libc(const void *address)
{
    Dl_info info;
    const char *name = dladdr(address, &info) ? strrchr(info.dli_fname, '/') : NULL;
    return name && strncmp(name, "/libc.", 6) == 0;
}

/* The place is where the program called MPI or libc (abort, sleep), not where in them it is. A
 * signal handler returns to libc, too. */
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    (void)argument;
    const void *address = (const void *)_Unwind_GetIP(context);
    if (!address || hang.stack.depth >= FRAMES)
        return _URC_END_OF_STACK;
    if (stack_is_foreign(address))
        hang.stack.depth = 0;
    else if (hang.stack.depth > 0 || !is_in_libc(address))
        hang.stack.addresses[hang.stack.depth++] = address;
    return _URC_NO_REASON;
}

/* Not async-signal-safe by the letter: it unwinds and allocates. The process is about to end
 * anyway; if it hangs inside malloc, the command gives up waiting for the record. */
void hang_tell(const char *state)
{
    int saved = errno;
    struct record record;
    hang.stack.depth = 0;
    _Unwind_Backtrace(note_frame, NULL);
    record_begin(&record, "place");
    record_string(&record, "state", state);
    record_stack(&record, &hang.stack);
    record_end(&record);
    errno = saved;
}

static void tell_hang(int number)
{
    (void)number;
    hang_tell("hang");
}

/* Signals that end the process: once told, whatever was there before takes its course. abort()
 * raises again, and a fault happens again when the handler returns. */
static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };
static struct sigaction before[DEADLY];

static void tell_death(int number)
{
    for (int i = 0; i < DEADLY; i++)
        if (deadly[i] == number)
            sigaction(number, &before[i], NULL);
    hang_tell(number == SIGABRT ? "abort" : "crash");
}

void hang_prepare(void)
{
    struct sigaction action = {.sa_handler = tell_hang, .sa_flags = SA_RESTART}, known;
    sigemptyset(&action.sa_mask);
    if (sigaction(HANG_SIGNAL, NULL, &known) == 0 && known.sa_handler == SIG_DFL)
        sigaction(HANG_SIGNAL, &action, NULL);
    action.sa_handler = tell_death;
    for (int i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &action, &before[i]);
}
