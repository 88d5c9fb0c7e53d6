/* REGATTA_OPTIONS, checked before anything runs. */
#ifndef REGATTA_CLI_RUNTIME_OPTIONS_H
#define REGATTA_CLI_RUNTIME_OPTIONS_H

/* Ends the program with 2 if the variable names an unknown option or gives a bad value. */
void runtime_options_check(void);

/* Puts one more setting into the variable, behind the others. */
void runtime_options_add(const char *setting);

/* Prints the table of options. */
void runtime_options_show(void);

#endif
