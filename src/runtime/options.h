/* REGATTA_OPTIONS as the runtime sees it; the table is options.def. */
#ifndef REGATTA_RUNTIME_OPTIONS_H
#define REGATTA_RUNTIME_OPTIONS_H

struct options {
#define OPTION(name, type, value, help) long name;
#include "options.def"
#undef OPTION
};
extern struct options options;

/* Reads the environment. What it does not understand it ignores: the commands have checked it. */
void options_read(void);

#endif
