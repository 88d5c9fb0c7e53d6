/* Makes C from calls.def. Build-time only; one output per run, on standard output:
 *
 *   generate ids        CALLS                    routine_ids.h
 *   generate table      CALLS                    routines.c
 *   generate pmpi       CALLS EXPORTS            pmpi.h, the entry points of one MPI library
 *   generate wrappers   CALLS EXPORTS            the MPI_ functions of the runtime library
 *   generate fortran    CALLS EXPORTS            the mpi_*_ functions of the runtime library
 *   generate prototypes CALLS EXPORTS            compile-time check of the table against mpi.h
 *   generate missing    CALLS EXPORTS            exported routines without a row; fails if any
 *
 * EXPORTS is a list of the symbols that the MPI's libraries export, one per line. */
#include "calls_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the symbols of an MPI library ---- */

struct symbols {
    char **names; /* sorted */
    size_t n;
};

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct symbols symbols_read(const char *path)
{
    struct symbols symbols = {0};
    FILE *input = fopen(path, "r");
    if (!input) {
        perror(path);
        exit(1);
    }
    char line[512];
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\n")] = 0;
        symbols.names = realloc(symbols.names, (symbols.n + 1) * sizeof *symbols.names);
        char *name = strdup(line);
        if (!symbols.names || !name)
            exit(1);
        symbols.names[symbols.n++] = name;
    }
    fclose(input);
    qsort(symbols.names, symbols.n, sizeof *symbols.names, by_string);
    return symbols;
}

static bool symbols_have(const struct symbols *symbols, const char *name)
{
    return bsearch(&name, symbols->names, symbols->n, sizeof *symbols->names, by_string) != NULL;
}

/* A routine of the C interface: MPI_Isend, MPI_T_cvar_read, MPIX_Comm_revoke; not the Fortran-named
 * MPI_DUP_FN or MPI_WTIME_F90 and not a library's internals. */
static bool is_routine(const char *name)
{
    return (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0) &&
           strpbrk(name, "abcdefghijklmnopqrstuvwxyz") != NULL;
}

/* ---- pieces of C ---- */

/* "const int[]", "counts" → "const int counts[]" */
static void print_declarator(const char *type, const char *name)
{
    const char *pointer_to_array = strstr(type, "(*)");
    const char *brackets = strchr(type, '[');
    if (pointer_to_array)
        printf("%.*s(*%s)%s", (int)(pointer_to_array - type), type, name, pointer_to_array + 3);
    else if (brackets)
        printf("%.*s %s%s", (int)(brackets - type), type, name, brackets);
    else if (type[strlen(type) - 1] == '*')
        printf("%s%s", type, name);
    else
        printf("%s %s", type, name);
}

/* `more` follows the routine's own. */
static void print_parameters(const struct call_row *row, const char *more)
{
    putchar('(');
    for (int i = 0; i < row->narguments; i++) {
        if (i > 0)
            printf(", ");
        if (strcmp(row->arguments[i].type, "...") == 0)
            printf("...");
        else
            print_declarator(row->arguments[i].type, row->arguments[i].name);
    }
    printf("%s)", row->narguments ? more : "void");
}

static void print_arguments_and(const struct call_row *row, const char *more)
{
    putchar('(');
    for (int i = 0; i < row->narguments; i++)
        printf("%s%s", i ? ", " : "", row->arguments[i].name);
    printf("%s)", more);
}

static void print_arguments(const struct call_row *row)
{
    print_arguments_and(row, "");
}

/* Whether the runtime has anything to do for this routine. */
static bool is_wrapped(const struct call_row *row)
{
    return strcmp(row->verb, "local") != 0;
}

static const char head[] = "/* Generated from calls.def by generate.c: do not edit. */\n";

/* Types that differ between versions of the standard. */
static const char types_by_version[] = "#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41\n"
                                       "typedef const int partition_number; /* MPI_Pready_list */\n"
                                       "#else\n"
                                       "typedef int partition_number;\n"
                                       "#endif\n";

/* ---- MPI-independent table ---- */

static void print_ids(const struct calls_file *calls)
{
    char name[64];
    printf("%s#ifndef REGATTA_MPI_ROUTINE_IDS_H\n#define REGATTA_MPI_ROUTINE_IDS_H\n\nenum "
           "routine_id {\n",
           head);
    for (int i = 0; i < calls->nrows; i++)
        printf("    ROUTINE_%s,\n", row_short_name(&calls->rows[i], name));
    printf("    ROUTINES\n};\n\n#endif\n");
}

static void print_table(const struct calls_file *calls)
{
    char name[64];
    printf("%s#include \"routine.h\"\n\nconst struct routine routines[ROUTINES] = {\n", head);
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        printf("    [ROUTINE_%s] = {\"%s\", VERB_%s, OBJECT_%s, ORDER_%s, %d, 0",
               row_short_name(row, name), row->name, row->verb, row->object, row->order,
               row->large);
        for (int j = 0; j < row->narguments; j++)
            if (row->arguments[j].role != ROLE_none)
                printf(" | UINT64_C(1) << ROLE_%s", role_name(row->arguments[j].role));
        printf(",\n        %d, %d, {", row->narguments, row->nbuffers);
        for (int j = 0; j < row->narguments; j++)
            printf("%s{\"%s\", ROLE_%s}", j ? ", " : "", row->arguments[j].name,
                   role_name(row->arguments[j].role));
        printf("},\n        {");
        for (int j = 0; j < row->nbuffers; j++) {
            const struct routine_buffer *buffer = &row->buffers[j];
            printf("%s{%d, ROLE_%s, %d, %d, %d, %d, %d}", j ? ", " : "", buffer->argument,
                   role_name(buffer->role), buffer->blocks, buffer->at_root, buffer->count,
                   buffer->displs, buffer->type);
        }
        printf("}},\n");
    }
    printf("};\n");
}

/* ---- the entry points of one MPI library ---- */

static bool in_library(const struct call_row *row, const struct symbols *exports)
{
    return symbols_have(exports, row->name) && strncmp(row->name, "MPI_T_", 6) != 0;
}

static void print_pmpi(const struct calls_file *calls, const struct symbols *exports)
{
    char name[64];
    printf(
        "%s#ifndef REGATTA_PMPI_ENTRIES_H\n#define REGATTA_PMPI_ENTRIES_H\n\n#include <mpi.h>\n%s\n"
        "struct pmpi {\n",
        head, types_by_version);
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        if (!in_library(row, exports))
            continue;
        printf("    %s (*%s)", row->return_type, row_short_name(row, name));
        print_parameters(row, "");
        printf(";\n");
    }
    printf("};\n\n#define PMPI_ENTRIES(X)");
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        if (in_library(row, exports))
            printf(" \\\n    X(P%s, %s)", row->name, row_short_name(row, name));
    }
    printf("\n\n#endif\n");
}

/* ---- wrappers ---- */

/* What the layer keeps of the call begins with struct call. */
#define OWN_CALL "    LAYER_CALL own;\n    struct call *const call = &own.call;\n"

/* Statements that put the shape of buffer i into call->buffers[i]; `star` reads through Fortran's
 * references. */
static void print_buffer(const struct call_row *row, int i, bool fortran)
{
    const struct routine_buffer *buffer = &row->buffers[i];
    const struct call_argument *arguments = row->arguments;
    printf(fortran ? "    call->buffers[%d].base = fortran_address(%s);\n"
                   : "    call->buffers[%d].base = (void *)%s;\n",
           i, arguments[buffer->argument].name);
    if (buffer->count == NO_ARGUMENT)
        printf("    call->buffers[%d].count = 1;\n", i);
    else if (arguments[buffer->count].role == ROLE_counts)
        printf("    call->buffers[%d].counts = %s;\n", i, arguments[buffer->count].name);
    else if (!fortran)
        printf("    call->buffers[%d].count = %s;\n", i, arguments[buffer->count].name);
    else
        printf("    call->buffers[%d].count = *(%s *)%s;\n", i,
               strcmp(arguments[buffer->count].type, "int") == 0 ? "MPI_Fint"
                                                                 : arguments[buffer->count].type,
               arguments[buffer->count].name);
    if (buffer->displs != NO_ARGUMENT)
        printf("    call->buffers[%d].displs = %s;\n", i, arguments[buffer->displs].name);
    if (buffer->type == NO_ARGUMENT)
        return;
    if (arguments[buffer->type].role == ROLE_types)
        printf("    call->buffers[%d].types = %s;\n", i, arguments[buffer->type].name);
    else
        printf(fortran ? "    call->buffers[%d].type = FORTRAN_Type(%s);\n"
                       : "    call->buffers[%d].type = %s;\n",
               i, arguments[buffer->type].name);
}

static const char *handle_kind(enum role role)
{
    switch (role) {
    case ROLE_target_type:
        return "Type";
    case ROLE_op:
        return "Op";
    case ROLE_comm:
        return "Comm";
    case ROLE_win:
        return "Win";
    case ROLE_group:
        return "Group";
    case ROLE_info:
        return "Info";
    case ROLE_file:
        return "File";
    case ROLE_request_value:
        return "Request";
    default:
        return NULL; /* the runtime does not look at it */
    }
}

static void print_role(const struct call_argument *argument, bool fortran)
{
    const char *how = role_how(argument->role), *role = role_name(argument->role);
    const char *name = argument->name;
    if (strcmp(how, "HANDLE") == 0) {
        const char *kind = handle_kind(argument->role);
        if (kind)
            printf(fortran ? "    call->%s = FORTRAN_%s(%s);\n" : "    call->%s = %.0s%s;\n", role,
                   kind, name);
    } else if (strcmp(how, "POINTER") == 0) {
        printf("    call->%s = (void *)%s;\n", role, name);
    } else if (strcmp(how, "CURSOR") == 0) {
        if (!fortran)
            printf("    call->position = *%s;\n", name);
        else
            printf("    call->position = *(%s)%s;\n",
                   strcmp(argument->type, "int *") == 0 ? "MPI_Fint *" : argument->type, name);
    } else if (!fortran) {
        printf("    call->%s = %s;\n", role, name);
    } else {
        printf("    call->%s = *(%s *)%s;\n", role,
               strcmp(argument->type, "int") == 0 ? "MPI_Fint" : argument->type, name);
    }
}

/* Whether the wrapper may have to put a status of its own in the place of an ignored one. */
static bool is_status(const struct call_argument *argument)
{
    return argument->role == ROLE_status || argument->role == ROLE_statuses;
}

static void print_own_statuses(const struct call_row *row, bool fortran)
{
    bool relevant = strcmp(row->verb, "completes") == 0 || strcmp(row->verb, "tests") == 0 ||
                    strcmp(row->verb, "probes") == 0 || strcmp(row->verb, "peeks") == 0 ||
                    strstr(row->object, "recv") != NULL;
    for (int i = 0; relevant && i < row->narguments; i++) {
        const struct call_argument *argument = &row->arguments[i];
        if (is_status(argument))
            printf("    %s = %scall_%s(call, %s);\n", argument->name,
                   fortran ? "" : "(MPI_Status *)",
                   argument->role == ROLE_status ? "status" : "statuses", argument->name);
    }
}

/* Fills struct call. The first argument with a role counts: MPI_Intercomm_create has two comms. */
static void print_roles(const struct call_row *row, bool fortran)
{
    uint64_t seen = 0;
    for (int i = 0; i < row->narguments; i++) {
        const struct call_argument *argument = &row->arguments[i];
        const char *how = role_how(argument->role);
        if (argument->role == ROLE_status)
            printf("    call->given_status = (void *)%s;\n", argument->name);
        if (argument->role == ROLE_none || seen >> argument->role & 1 || is_status(argument) ||
            strcmp(how, "BUFFER") == 0 || strcmp(how, "SHAPE") == 0)
            continue;
        seen |= UINT64_C(1) << argument->role;
        print_role(argument, fortran);
    }
    for (int i = 0; i < row->nbuffers; i++)
        print_buffer(row, i, fortran);
}

static bool has_cursor(const struct call_row *row, const struct call_argument **cursor)
{
    for (int i = 0; i < row->narguments; i++)
        if (row->arguments[i].role == ROLE_position) {
            *cursor = &row->arguments[i];
            return true;
        }
    return false;
}

static const char *argument_with(const struct call_row *row, enum role role)
{
    for (int i = 0; i < row->narguments; i++)
        if (row->arguments[i].role == role)
            return row->arguments[i].name;
    return NULL;
}

/* ---- quick paths (quick.h): ways round struct call, taken before it has a place on the stack ----
 */

static bool has_quick_message(const struct call_row *row)
{
    bool sends = strcmp(row->object, "send") == 0 && strcmp(row->order, "channel") == 0;
    bool receives = strcmp(row->object, "recv") == 0 && !argument_with(row, ROLE_message);
    return strcmp(row->verb, "blocking") == 0 && (sends || receives);
}

static void print_quick_message(const struct call_row *row, const char *name)
{
    bool sends = argument_with(row, ROLE_dest) != NULL;
    printf("    struct quick_message message = quick_%s(%s, %s, %s);\n"
           "    if (message.channel)\n        return quick_%s(message, pmpi.%s",
           sends ? "send" : "receive", argument_with(row, ROLE_comm),
           argument_with(row, sends ? ROLE_dest : ROLE_source), argument_with(row, ROLE_tag),
           sends ? "sent" : "received", name);
    print_arguments(row);
    printf(");\n");
}

static bool has_quick_barrier(const struct call_row *row)
{
    return strcmp(row->verb, "blocking") == 0 && strcmp(row->object, "collective") == 0 &&
           row->nbuffers == 0;
}

static void print_quick_barrier(const struct call_row *row, const char *name)
{
    const char *comm = argument_with(row, ROLE_comm);
    printf("    if (quick_barrier(%s))\n        return quick_barrier_passed(%s, pmpi.%s", comm,
           comm, name);
    print_arguments(row);
    printf(");\n");
}

/* Puts and accumulates without a request. */
static bool has_quick_issue(const struct call_row *row)
{
    return strcmp(row->verb, "issues") == 0 && row->nbuffers == 1 &&
           row->buffers[0].role == ROLE_read && !argument_with(row, ROLE_new_request);
}

static bool has_quick_flush(const struct call_row *row)
{
    return strncmp(row->verb, "flushes", 7) == 0 && strcmp(row->object, "one") == 0;
}

static void print_quick_rma(const struct call_row *row, const char *name)
{
    const char *op = argument_with(row, ROLE_op);
    if (has_quick_issue(row))
        printf("    if (quick_issue(ROUTINE_%s, CALLER, CALLER_FRAME, %s, %s, %s, %s, "
               "(struct quick_target){%s, %s, %s}, %s, %s))\n",
               name, row->arguments[row->buffers[0].argument].name,
               row->arguments[row->buffers[0].count].name,
               row->arguments[row->buffers[0].type].name, argument_with(row, ROLE_target),
               argument_with(row, ROLE_target_disp), argument_with(row, ROLE_target_count),
               argument_with(row, ROLE_target_type), argument_with(row, ROLE_win),
               op ? op : "handles.no_op");
    else
        printf("    if (quick_flush(%s, %s, %s))\n", argument_with(row, ROLE_target),
               argument_with(row, ROLE_win), strcmp(row->verb, "flushes") == 0 ? "true" : "false");
    printf("        return pmpi.%s", name);
    print_arguments(row);
    printf(";\n");
}

/* ---- wrappers ---- */

/* What the layer keeps of the call begins with struct call. */
#define OWN_CALL "    LAYER_CALL own;\n    struct call *const call = &own.call;\n"

/* The stress scheduler receives what nonblocking and persistent collectives bring in memory of its
 * own. */
static void print_own_buffers(const struct call_row *row)
{
    bool starts = strcmp(row->verb, "starts") == 0 || strcmp(row->verb, "prepares") == 0;
    for (int i = 0; starts && strcmp(row->object, "collective") == 0 && i < row->nbuffers; i++) {
        const char *name = row->arguments[row->buffers[i].argument].name;
        if (row->buffers[i].role != ROLE_read)
            printf("    %s = call_buffer(call, %d, %s);\n", name, i, name);
    }
}

static void print_body(const struct call_row *row, const char *name, const char *caller)
{
    const struct call_argument *cursor;
    printf("\n{\n" OWN_CALL "    if (!call_enter(call, ROUTINE_%s, %s))\n        return pmpi.%s",
           name, caller, name);
    print_arguments(row);
    printf(";\n");
    print_roles(row, false);
    printf("    call_before(call);\n"
           "    if (call_is_replaced(call))\n        return call_replacement(call);\n");
    print_own_statuses(row, false);
    print_own_buffers(row);
    printf("    int result = pmpi.%s", name);
    print_arguments(row);
    printf(";\n");
    if (has_cursor(row, &cursor))
        printf("    call->position_end = *%s;\n", cursor->name);
    printf("    call_after(call, result);\n    return result;\n}\n");
}

static void print_wrapper(const struct call_row *row)
{
    char name[64];
    bool message = has_quick_message(row), barrier = has_quick_barrier(row);
    bool quick = message || barrier || has_quick_issue(row) || has_quick_flush(row);
    row_short_name(row, name);
    if (quick) {
        printf("\nstatic LONG_WAY int long_%s", name);
        print_parameters(row, ", const void *caller, const void *frame");
        print_body(row, name, "caller, frame");
    }
    printf("\nWRAPPER int %s", row->name);
    print_parameters(row, "");
    if (!quick) {
        print_body(row, name, "CALLER, CALLER_FRAME");
        return;
    }
    printf("\n{\n");
    (message ? print_quick_message : barrier ? print_quick_barrier : print_quick_rma)(row, name);
    printf("    return long_%s", name);
    print_arguments_and(row, ", CALLER, CALLER_FRAME");
    printf(";\n}\n");
}

static void print_wrappers(const struct calls_file *calls, const struct symbols *exports)
{
    printf("%s#include \"interpose/wrapper.h\"\n", head);
    for (int i = 0; i < calls->nrows; i++)
        if (is_wrapped(&calls->rows[i]) && in_library(&calls->rows[i], exports))
            print_wrapper(&calls->rows[i]);
}

/* ---- Fortran ---- */

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

static void print_fortran(const struct calls_file *calls, const struct symbols *exports)
{
    static const char *const suffixes[] = {"", "cptr_", "f08_", NULL};
    static const char *const large_suffixes[] = {"f08_large_", NULL};
    printf("%s#include \"interpose/wrapper.h\"\n", head);
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

/* ---- checks ---- */

static void print_prototypes(const struct calls_file *calls, const struct symbols *exports)
{
    printf("%s#include <mpi.h>\n%s", head, types_by_version);
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        if (!symbols_have(exports, row->name))
            continue;
        printf("#ifndef %s\nextern %s %s", row->name, row->return_type, row->name);
        print_parameters(row, "");
        printf(";\n#endif\n");
    }
}

static int print_missing(const struct calls_file *calls, const struct symbols *exports)
{
    int missing = 0;
    for (size_t i = 0; i < exports->n; i++) {
        if (!is_routine(exports->names[i]))
            continue;
        int low = 0, high = calls->nrows;
        while (low < high) {
            int middle = (low + high) / 2;
            if (strcmp(calls->rows[middle].name, exports->names[i]) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == calls->nrows || strcmp(calls->rows[low].name, exports->names[i]) != 0) {
            printf("no row in calls.def for %s\n", exports->names[i]);
            missing++;
        }
    }
    printf("%d routines exported without a row\n", missing);
    return missing > 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    bool independent = strcmp(what, "ids") == 0 || strcmp(what, "table") == 0;
    if (argc != (independent ? 3 : 4)) {
        fprintf(stderr, "usage: generate WHAT CALLS [EXPORTS], see generate.c\n");
        return 2;
    }
    struct calls_file calls = calls_file_read(argv[2]);
    struct symbols exports = {0};
    if (!independent)
        exports = symbols_read(argv[3]);
    if (strcmp(what, "ids") == 0)
        print_ids(&calls);
    else if (strcmp(what, "table") == 0)
        print_table(&calls);
    else if (strcmp(what, "pmpi") == 0)
        print_pmpi(&calls, &exports);
    else if (strcmp(what, "wrappers") == 0)
        print_wrappers(&calls, &exports);
    else if (strcmp(what, "fortran") == 0)
        print_fortran(&calls, &exports);
    else if (strcmp(what, "prototypes") == 0)
        print_prototypes(&calls, &exports);
    else if (strcmp(what, "missing") == 0)
        return print_missing(&calls, &exports);
    else {
        fprintf(stderr, "generate: unknown output '%s'\n", what);
        return 2;
    }
    return 0;
}
