#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* The terminal is one for the whole process, hence not an object. One thread only. */
static bool enabled, shown;
static const char *command;
static double last;

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void progress_switch(const char *of, bool on)
{
    command = of;
    enabled = on && isatty(STDERR_FILENO);
    last = seconds(); /* short runs show nothing */
}

void progress_show(const char *what, size_t done, size_t total)
{
    enum { EVERY_MILLISECONDS = 200 };
    double now = enabled ? seconds() : 0;
    if (!enabled || (now - last) * 1000 < EVERY_MILLISECONDS)
        return;
    last = now;
    shown = true;
    fprintf(stderr, "\r\033[Kregatta: %s: %s %zu of %zu", command, what, done, total);
    fflush(stderr);
}

void progress_clear(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
