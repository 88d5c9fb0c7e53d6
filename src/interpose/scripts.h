/* Lines of scripts: where a Python program calls MPI.
 *
 * All calls of a Python program come from the same few places of mpi4py and of the interpreter; the
 * line that made a call is what the interpreter knows. It is asked by the function that Python has
 * for reports of crashes (_Py_DumpTraceback, since 3.3): it takes no lock, allocates nothing and
 * reads only the frames of the calling thread, which stand still while the thread is in MPI; mpi4py
 * has given up the interpreter's lock by then. The function is looked up in the process: a program
 * without it, also with a Python that does not export it, costs nothing and has no such lines.
 *
 * A line stands in a struct stack in the place of a return address, as the address of its struct
 * script_line. */
#ifndef REGATTA_INTERPOSE_SCRIPTS_H
#define REGATTA_INTERPOSE_SCRIPTS_H

#include <stdbool.h>
#include <stddef.h>

struct script_line {
    const char *file;
    const char *function; /* NULL: none, or one without a name (<module>, <lambda>) */
    unsigned line;
};

/* Whether there is an interpreter in this process that can be asked and has begun. Programs that
 * only carry one with them go the usual way. */
bool scripts_are_run(void);

/* Whether a return address is in the interpreter's own code. */
bool script_is_interpreter(const void *address);

/* The lines that the calling thread is in, innermost first, at most `room`. Returns how many; 0 if
 * it is in none. Needs the session's lock. */
int script_lines(const void **addresses, int room);

/* The same as the interpreter writes it, `  File "x.py", line 12 in main` and so on, cut off at
 * `room`; empty: it is in none. For handlers of signals: takes no lock and no memory, and knows of
 * an interpreter only if scripts_are_run was asked before. */
void script_text(char *text, size_t room);

/* The line that stands for a return address; NULL if the address is one of code. */
const struct script_line *script_line_of(const void *address);

#endif
