/* Files and directories: where things are, scratch directories, output of small commands. */
#ifndef REGATTA_CLI_PATHS_H
#define REGATTA_CLI_PATHS_H

#include <stdbool.h>

/* All returned texts are to be freed. */

/* The program that execvp would run: searched on PATH if the name has no slash. NULL if none. */
char *paths_program(const char *name);
/* The directory of the running regatta. */
char *paths_own_directory(void);
/* A file beside this regatta, in the build tree (`in_build`) or installed (`installed`), both
 * relative to the directory of the program. NULL if it is in neither. */
char *paths_own_file(const char *in_build, const char *installed);
char *paths_working_directory(void);
char *paths_absolute(const char *path);

/* A new directory in $TMPDIR, or in the working directory, with a name beginning with `prefix`.
 * Ends the program if it cannot be made. It is removed with all in it when the program exits. */
char *paths_scratch(const char *prefix, bool in_working_directory);

/* The directory is removed with all in it when the program exits. */
void paths_remove_at_exit(const char *directory);

/* Runs a command and returns what it wrote to standard output; NULL if it could not be run or
 * failed. Its standard error is dropped. */
char *paths_output_of(char *const *argv);

#endif
