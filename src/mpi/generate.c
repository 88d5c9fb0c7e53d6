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
#include "wrapper_parts.h"

#include <stdio.h>
#include <string.h>

/* Types that differ between versions of the standard. */
#define TYPES_BY_VERSION                                                                           \
    "#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41\n"                                                \
    "typedef const int partition_number; /* MPI_Pready_list */\n"                                  \
    "#else\n"                                                                                      \
    "typedef int partition_number;\n"                                                              \
    "#endif\n"

/* ---- MPI-independent table ---- */

static void print_ids(const struct calls_file *calls)
{
    char name[64];
    printf(GENERATED "#ifndef REGATTA_MPI_ROUTINE_IDS_H\n#define REGATTA_MPI_ROUTINE_IDS_H\n\nenum "
                     "routine_id {\n");
    for (int i = 0; i < calls->nrows; i++)
        printf("    ROUTINE_%s,\n", row_short_name(&calls->rows[i], name));
    printf("    ROUTINES\n};\n\n#endif\n");
}

static const char *passing(const char *type)
{
    if (strpbrk(type, "*[."))
        return "pointer";
    if (!strcmp(type, "int") || !strcmp(type, "const int"))
        return "int";
    bool is_long =
        !strcmp(type, "MPI_Aint") || !strcmp(type, "MPI_Count") || !strcmp(type, "MPI_Offset");
    return is_long ? "long" : "handle";
}

static void print_table(const struct calls_file *calls)
{
    char name[64];
    printf(GENERATED "#include \"routine.h\"\n\nconst struct routine routines[ROUTINES] = {\n");
    for (int i = 0; i < calls->nrows; i++) {
        const struct call_row *row = &calls->rows[i];
        printf("    [ROUTINE_%s] = {\"%s\", VERB_%s, OBJECT_%s, ORDER_%s, %d, 0",
               row_short_name(row, name), row->name, row->verb, row->object, row->order,
               row->large);
        for (int j = 0; j < ATTRIBUTE_KINDS; j++)
            if (row->attributes[j])
                printf(" | 1 << ATTRIBUTE_%s", attribute_name(j));
        printf(", 0");
        for (int j = 0; j < row->narguments; j++)
            if (row->arguments[j].role != ROLE_none)
                printf(" | UINT64_C(1) << ROLE_%s", role_name(row->arguments[j].role));
        printf(",\n        %d, %d, {", row->narguments, row->nbuffers);
        for (int j = 0; j < row->narguments; j++)
            printf("%s{\"%s\", ROLE_%s, PASSING_%s}", j ? ", " : "", row->arguments[j].name,
                   role_name(row->arguments[j].role), passing(row->arguments[j].type));
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

static void print_pmpi(const struct calls_file *calls, const struct symbols *exports)
{
    char name[64];
    printf(GENERATED "#ifndef REGATTA_PMPI_ENTRIES_H\n#define REGATTA_PMPI_ENTRIES_H\n\n"
                     "#include <mpi.h>\n" TYPES_BY_VERSION "\nstruct pmpi {\n");
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

/* ---- checks ---- */

/* A routine of the C interface: MPI_Isend, MPI_T_cvar_read, MPIX_Comm_revoke; not the Fortran-named
 * MPI_DUP_FN or MPI_WTIME_F90 and not a library's internals. */
static bool is_routine(const char *name)
{
    return (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0) &&
           strpbrk(name, "abcdefghijklmnopqrstuvwxyz") != NULL;
}

static void print_prototypes(const struct calls_file *calls, const struct symbols *exports)
{
    printf(GENERATED "#include <mpi.h>\n" TYPES_BY_VERSION);
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
