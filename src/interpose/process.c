#include "process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmpi.h"
#include "record.h"
#include "mpi/routine.h"
#include "platform/own_memory.h"

/* A script hid the program from the command, which chose the runtime of another MPI. Handles have
 * other sizes there: no call could be handed on, so the process ends before it begins. */
static void refuse_other_mpi(void)
{
    bool is_openmpi = pmpi_variable("ompi_mpi_comm_world") != NULL;
    bool wants_openmpi = strcmp(REGATTA_MPI_NAME, "openmpi") == 0;
    if (is_openmpi == wants_openmpi || !pmpi_symbol("PMPI_Init"))
        return;
    fprintf(stderr, "regatta: this program uses %s, and was started for %s: say --mpi %s\n",
            is_openmpi ? "Open MPI" : "MPICH", wants_openmpi ? "Open MPI" : "MPICH",
            is_openmpi ? "openmpi" : "mpich");
    _exit(2);
}

bool process_may_start(enum routine_id routine)
{
    refuse_other_mpi();
    if (!pmpi_resolve()) {
        fprintf(stderr, "regatta: %s was called, but this process has no MPI library\n",
                routines[routine].name);
        abort();
    }
    return routines[routine].verb == VERB_initialises && getenv("REGATTA_RECORDS") != NULL;
}

void process_record(int rank, int ranks)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", mpi[64], host[256] = "", program[PATH_MAX];
    int length = 0, major = 0, minor = 0, release = 0;
    pmpi.Get_library_version(version, &length);
    const char *numbers = strpbrk(version, "0123456789");
    if (numbers && sscanf(numbers, "%d.%d.%d", &major, &minor, &release) >= 2)
        snprintf(mpi, sizeof mpi, "%s %d.%d.%d", REGATTA_MPI_NAME, major, minor, release);
    else
        snprintf(mpi, sizeof mpi, "%s", REGATTA_MPI_NAME);
    gethostname(host, sizeof host - 1);
    platform_program_path(program, sizeof program);

    struct record record;
    record_begin(&record, "process");
    record_number(&record, "format", RECORD_FORMAT);
    record_number(&record, "rank", rank);
    record_number(&record, "ranks", ranks);
    record_number(&record, "pid", getpid());
    record_string(&record, "host", host);
    record_string(&record, "mpi", mpi);
    record_string(&record, "program", program);
    record_end(&record);
}
