#ifndef REGATTA_REPLAY_LOWER_H
#define REGATTA_REPLAY_LOWER_H

#include "code.h"

/* A constant that fits into one slot. */
struct constant code_scalar(struct code *code, LLVMValueRef value);

/* The number of a function that library.c models, -1 if there is none of this name. */
int library_number(const char *name);

#endif
