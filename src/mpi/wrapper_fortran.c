/* The mpi_*_ functions of a layer. */
#include "wrapper_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* MPI_Init and MPI_Init_thread have the program's arguments in C only. */
static bool in_fortran(const struct call_argument *argument)
{
    return strcmp(argument->name, "argc") != 0 && strcmp(argument->type, "char ** *") != 0;
}

/* Fortran passes the length of each character argument behind the others. */
static int hidden_lengths(const struct call_row *row)
{
    int n = 0;
    for (int i = 0; i < row->narguments; i++)
        n += in_fortran(&row->arguments[i]) && strstr(row->arguments[i].type, "char") != NULL;
    return n;
}

static void print_fortran_list(const struct call_row *row, bool types)
{
    const char *pointer = types ? "void *" : "", *length = types ? "size_t " : "";
    putchar('(');
    for (int i = 0; i < row->narguments; i++)
        if (in_fortran(&row->arguments[i]))
            printf("%s%s, ", pointer, row->arguments[i].name);
    printf("%s", types ? "MPI_Fint *ierror" : "ierror");
    for (int i = 0; i < hidden_lengths(row); i++)
        printf(", %slength%d", length, i);
    putchar(')');
}

static void print_fortran_wrapper(const struct call_row *row, const char *symbol)
{
    char name[64];
    const struct call_argument *cursor;
    row_short_name(row, name);
    printf("\nWRAPPER void %s", symbol);
    print_fortran_list(row, true);
    printf("\n{\n    static void (*original)");
    print_fortran_list(row, true);
    printf(";\n    if (!original)\n        original = fortran_original(\"%s\");\n", symbol);
    printf(
        OWN_CALL
        "    if (!call_enter_fortran(call, ROUTINE_%s, CALLER, CALLER_FRAME)) {\n        original",
        name);
    print_fortran_list(row, false);
    printf(";\n        return;\n    }\n");
    printf("    MPI_Fint error = 0;\n    if (!ierror)\n        ierror = &error;\n");
    print_roles(row, true);
    printf("    call_before(call);\n"
           "    if (call_is_replaced(call)) {\n        *ierror = call_replacement(call);\n"
           "        return;\n    }\n");
    print_own_statuses(row, true);
    print_own_buffers(row);
    printf("    original");
    print_fortran_list(row, false);
    printf(";\n");
    if (has_cursor(row, &cursor))
        printf("    call->position_end = *(%s)%s;\n",
               strcmp(cursor->type, "int *") == 0 ? "MPI_Fint *" : cursor->type, cursor->name);
    printf("    call_after_fortran(call, *ierror);\n}\n");
}

/* The names under which compilers call a routine: mpi_x_ from mpif.h and `use mpi`, mpi_x_cptr_
 * from `use mpi` for memory returned as TYPE(C_PTR), mpi_x_f08_ from `use mpi_f08`, there with
 * large_ for the routine that ends in _c in C. docs/fortran.md tells the whole story. */
static void fortran_symbol(char symbol[96], const struct call_row *row, const char *suffix)
{
    int length = (int)strlen(row->name) - (row->large ? 2 : 0);
    snprintf(symbol, 96, "%.*s_%s", length, row->name, suffix);
    for (char *c = symbol; *c; c++)
        *c = tolower((unsigned char)*c);
}

void print_fortran(const struct calls_file *calls, const struct symbols *exports)
{
    static const char *const suffixes[] = {"", "cptr_", "f08_", NULL};
    static const char *const large_suffixes[] = {"f08_large_", NULL};
    printf(GENERATED "#include \"interpose/wrapper.h\"\n");
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        if (!is_wrapped(row))
            continue;
        for (const char *const *suffix = row->large ? large_suffixes : suffixes; *suffix;
             suffix++) {
            char symbol[96];
            fortran_symbol(symbol, row, *suffix);
            if (symbols_have(exports, symbol))
                print_fortran_wrapper(row, symbol);
        }
    }
}
