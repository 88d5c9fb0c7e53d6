/* Starts a child in the foreground and waits for it, being as little in the way as possible. */
#ifndef REGATTA_CLI_LAUNCH_H
#define REGATTA_CLI_LAUNCH_H

enum launch_end {
    LAUNCH_ENDED,     /* by itself */
    LAUNCH_SIGNALLED, /* after a signal that asks to end came to us */
    LAUNCH_TIMED_OUT, /* by us */
};

/* What to do while it runs; each may be NULL or 0. */
struct launch_watch {
    void (*tick)(void *context); /* a few times a second */
    /* It is going to be ended: by us, or (before they are passed on) by a signal that came. */
    void (*ending)(void *context, enum launch_end why);
    /* It was told to end and did not: whatever belongs to it may be killed. */
    void (*abandon)(void *context);
    void *context;
    int timeout; /* seconds */
    enum launch_end *how;
};

/* The child shares standard streams, process group and terminal with us. Signals that come to us
 * alone are passed on; what the terminal sends reaches the child by itself.
 *
 * Returns its exit code, 128 + n if signal n ended it. Ends the program with `code_if_missing` if
 * it cannot be started. */
int launch(char *const *argv, const struct launch_watch *watch, int code_if_missing);

#endif
