/* The MPI_ functions of a layer. */
#include "wrapper_parts.h"

#include <stdio.h>
#include <string.h>

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
    printf("    struct quick_message message = quick_%s(ROUTINE_%s, CALLER, %s, %s, %s);\n"
           "    if (message.channel)\n        return quick_%s(message, pmpi.%s",
           sends ? "send" : "receive", name, argument_with(row, ROLE_comm),
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
    printf("    if (quick_barrier(ROUTINE_%s, CALLER, %s))\n"
           "        return quick_barrier_passed(%s, pmpi.%s",
           name, comm, comm, name);
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
        printf("    if (quick_flush(ROUTINE_%s, CALLER, %s, %s, %s))\n", name,
               argument_with(row, ROLE_target), argument_with(row, ROLE_win),
               strcmp(row->verb, "flushes") == 0 ? "true" : "false");
    printf(has_quick_issue(row) ? "        return (pmpi.%s"
                                : "        return quick_flushed(pmpi.%s",
           name);
    print_arguments(row);
    printf(");\n");
}

/* ---- wrappers ---- */

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

void print_wrappers(const struct calls_file *calls, const struct symbols *exports)
{
    printf(GENERATED "#include \"interpose/wrapper.h\"\n");
    for (int i = 0; i < calls->nrows; i++)
        if (is_wrapped(&calls->rows[i]) && in_library(&calls->rows[i], exports))
            print_wrapper(&calls->rows[i]);
}
