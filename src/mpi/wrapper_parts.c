#include "wrapper_parts.h"

#include <stdio.h>
#include <string.h>

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
void print_parameters(const struct call_row *row, const char *more)
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

void print_arguments_and(const struct call_row *row, const char *more)
{
    putchar('(');
    for (int i = 0; i < row->narguments; i++)
        printf("%s%s", i ? ", " : "", row->arguments[i].name);
    printf("%s)", more);
}

void print_arguments(const struct call_row *row)
{
    print_arguments_and(row, "");
}

/* Whether the runtime has anything to do for this routine. */
bool is_wrapped(const struct call_row *row)
{
    return strcmp(row->verb, "local") != 0;
}

bool in_library(const struct call_row *row, const struct symbols *exports)
{
    return symbols_have(exports, row->name) && strncmp(row->name, "MPI_T_", 6) != 0;
}

/* ---- what a wrapper puts into struct call ---- */

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

void print_own_statuses(const struct call_row *row, bool fortran)
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
void print_roles(const struct call_row *row, bool fortran)
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

bool has_cursor(const struct call_row *row, const struct call_argument **cursor)
{
    for (int i = 0; i < row->narguments; i++)
        if (row->arguments[i].role == ROLE_position) {
            *cursor = &row->arguments[i];
            return true;
        }
    return false;
}

const char *argument_with(const struct call_row *row, enum role role)
{
    for (int i = 0; i < row->narguments; i++)
        if (row->arguments[i].role == role)
            return row->arguments[i].name;
    return NULL;
}

/* The stress scheduler receives what nonblocking and persistent collectives bring in memory of its
 * own. */
void print_own_buffers(const struct call_row *row)
{
    bool starts = strcmp(row->verb, "starts") == 0 || strcmp(row->verb, "prepares") == 0;
    for (int i = 0; starts && strcmp(row->object, "collective") == 0 && i < row->nbuffers; i++) {
        const char *name = row->arguments[row->buffers[i].argument].name;
        if (row->buffers[i].role != ROLE_read)
            printf("    %s = call_buffer(call, %d, %s);\n", name, i, name);
    }
}
