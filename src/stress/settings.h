/* REGATTA_STRESS as the layer sees it; the table is settings.def. */
#ifndef REGATTA_STRESS_SETTINGS_H
#define REGATTA_STRESS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum split { SPLIT_NONE, SPLIT_ELEMENT, SPLIT_BYTE };
enum issue_order { ORDER_AS_IS, ORDER_RANDOM, ORDER_REVERSE, ORDER_PUT_FIRST, ORDER_GET_FIRST };
enum stagger { STAGGER_NONE, STAGGER_ASCENDING, STAGGER_DESCENDING };
enum threads { THREADS_NONE, THREADS_MAIN, THREADS_OTHERS };

struct settings {
#define SETTING(name, value, most) long name;
#include "settings.def"
#undef SETTING
};
extern struct settings settings;

/* Reads the environment. What it does not understand it ignores: the command wrote it. */
void settings_read(void);

/* Whether the operation from this site is to be perturbed: all are, unless REGATTA_STRESS_ONLY
 * lists some. */
bool settings_perturb(uint32_t site);

#endif
