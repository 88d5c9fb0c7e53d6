/* Texts from programs as terminals may have them. */
#ifndef REGATTA_FINDINGS_PLAIN_H
#define REGATTA_FINDINGS_PLAIN_H

#include <stdbool.h>

/* Whether a character would move the cursor of a terminal, or worse: C0, DEL, and C1 in UTF-8. */
bool plain_is_control(const char *text);

/* Replaces each by '?', but tabs if they are to stay. */
void plain_make(char *text, bool keep_tabs);

#endif
