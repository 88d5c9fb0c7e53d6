/* A program in the form in which it is executed: for each function a row of small instructions on
 * numbered slots. An operand that is negative names a constant, ~operand in the pool. */
#ifndef REGATTA_REPLAY_CODE_H
#define REGATTA_REPLAY_CODE_H

#include "rows.h"
#include "mpi/routine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdint.h>

enum deed {
    DO_MOVE,
    DO_ADD,
    DO_SUB,
    DO_MUL,
    DO_UDIV,
    DO_SDIV,
    DO_UREM,
    DO_SREM,
    DO_SHL,
    DO_LSHR,
    DO_ASHR,
    DO_AND,
    DO_OR,
    DO_XOR,
    DO_FADD,
    DO_FSUB,
    DO_FMUL,
    DO_FDIV,
    DO_FREM,
    DO_FNEG,
    DO_ICMP,
    DO_FCMP,
    DO_SELECT,
    DO_TRUNC,
    DO_SEXT,
    DO_FPTRUNC,
    DO_FPEXT,
    DO_FPTOSI,
    DO_FPTOUI,
    DO_SITOFP,
    DO_UITOFP,
    DO_SCALE, /* to = a + (signed, width bits) b * constant c */
    DO_LOAD,
    DO_STORE,
    DO_ALLOCA,
    DO_JUMP,
    DO_BRANCH,
    DO_SWITCH,
    DO_CALL,
    DO_RETURN,
    DO_UNKNOWN,
    DO_UPDATE,
    DO_EXCHANGE, /* atomic read-modify-write, compare and exchange */
    DO_GIVE_UP,
    DO_UNREACHABLE
};

/* `width` is that of integers in bits, of floating-point numbers 32 or 64, of memory in bytes. */
struct step {
    uint8_t what, width;
    uint16_t more; /* predicates, from-widths, number of slots */
    int32_t to, a, b, c;
};

struct call_site {
    LLVMValueRef instruction;
    int32_t callee; /* number of the function, -1: through the pointer in `pointer` */
    int32_t pointer;
    int32_t *arguments; /* operands, one per slot */
    uint32_t *copied;   /* bytes, for arguments that are copied for the callee (byval) */
    int narguments;
    int32_t to;
    int nresults;
    bool is_void;
};

struct switch_table {
    uint64_t *values;
    int32_t *targets;
    int count;
    int32_t otherwise;
};

struct function {
    LLVMValueRef value;
    const char *name;
    int number;
    bool has_body, lowered;
    const struct routine *routine;
    int library; /* of what library.c models; -1: unknown */
    ROW(struct step) steps;
    ROW(LLVMValueRef) sources;
    bool *ran; /* which steps have been executed, whatever the number of processes */
    ROW(struct call_site) calls;
    ROW(struct switch_table) switches;
    int nslots, nparameters; /* parameters are the first slots */
};

struct constant {
    enum { CONSTANT_NUMBER, CONSTANT_ADDRESS, CONSTANT_UNKNOWN } kind;
    uint64_t bits; /* an address is one within the process */
};

/* A piece of a value that fits into a slot. */
struct leaf {
    enum { LEAF_NUMBER, LEAF_FLOAT, LEAF_DOUBLE, LEAF_OTHER } kind;
    uint32_t bits, bytes, offset;
};
enum { MOST_LEAVES = 64 };

struct global {
    LLVMValueRef value;
    const char *name;
    uint64_t offset, size;
    bool external;
};

struct code {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    ROW(struct function *) functions;
    ROW(struct global) globals;
    ROW(struct constant) constants;
    struct known_value *known; /* functions and globals by value */
    uint64_t globals_end;
};

/* Addresses within a process: nothing below 64 KiB. Functions lie where no process has memory. */
enum { GLOBALS_START = 1 << 16 };
#define FUNCTIONS_START ((uint64_t)1 << 36)

struct code *code_open(LLVMModuleRef module);
void code_close(struct code *code);
struct function *code_function(const struct code *code, LLVMValueRef value);
/* Fills in the steps; false if the function has no body. */
bool code_lower(struct code *code, struct function *function);

/* The leaves of a type; -1 if there are too many. */
int code_leaves(const struct code *code, LLVMTypeRef type, struct leaf leaves[MOST_LEAVES]);
/* A constant as leaves, false if it is none. */
bool code_constant(struct code *code, LLVMValueRef value, struct constant *constants, int *count);

#endif
