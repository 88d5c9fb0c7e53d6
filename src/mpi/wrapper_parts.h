/* Pieces of C that the outputs of generate.c have in common. Build-time only; all print to standard
 * output. */
#ifndef REGATTA_MPI_WRAPPER_PARTS_H
#define REGATTA_MPI_WRAPPER_PARTS_H

#include "calls_file.h"
#include "library_symbols.h"

#define GENERATED "/* Generated from calls.def by generate.c: do not edit. */\n"

/* What the layer keeps of the call begins with struct call. */
#define OWN_CALL "    LAYER_CALL own;\n    struct call *const call = &own.call;\n"

/* Parameters as declared, arguments as handed on; `more` follows the routine's own. */
void print_parameters(const struct call_row *row, const char *more);
void print_arguments_and(const struct call_row *row, const char *more);
void print_arguments(const struct call_row *row);

/* Whether the runtime has anything to do for this routine; whether the MPI has it. */
bool is_wrapped(const struct call_row *row);
bool in_library(const struct call_row *row, const struct symbols *exports);

/* The name of the first argument with this role, or NULL; that of the cursor. */
const char *argument_with(const struct call_row *row, enum role role);
bool has_cursor(const struct call_row *row, const struct call_argument **cursor);

/* Statements that fill struct call, and after call_before take what the layer wants MPI to get. */
void print_roles(const struct call_row *row, bool fortran);
void print_own_statuses(const struct call_row *row, bool fortran);
void print_own_buffers(const struct call_row *row);

/* Whole outputs: the MPI_ functions and the mpi_*_ functions of a layer. */
void print_wrappers(const struct calls_file *calls, const struct symbols *exports);
void print_fortran(const struct calls_file *calls, const struct symbols *exports);

#endif
