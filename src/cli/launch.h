/* Starts a child in the foreground and waits for it, being as little in the way as possible. */
#ifndef REGATTA_CLI_LAUNCH_H
#define REGATTA_CLI_LAUNCH_H

/* The child shares standard streams, process group and terminal with us. Signals that come to us
 * alone are passed on; what the terminal sends reaches the child by itself. While it runs, `tick`
 * (if not NULL) is called a few times a second.
 *
 * Returns its exit code, 128 + n if signal n ended it. Ends the program with `code_if_missing` if
 * it cannot be started. */
int launch(char *const *argv, void (*tick)(void *context), void *context, int code_if_missing);

#endif
