/* REGATTA_OPTIONS as the runtime sees it; the table is options.def. */
#ifndef REGATTA_INTERPOSE_REGATTA_OPTIONS_H
#define REGATTA_INTERPOSE_REGATTA_OPTIONS_H

struct options {
#define OPTION(name, type, value, help) long name;
#include "regatta_options.def"
#undef OPTION
};
extern struct options options;

/* Reads the environment. What it does not understand it ignores: the commands have checked it. */
void options_read(void);

#endif
