#include "job.h"
#include "findings/checked.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Who tells the rank, and by what the processes of one run know each other. The first row of which
 * all is there counts: in a batch job Slurm's variables are those of the job, whatever mpiexec
 * starts in it, and so come last. */
static const struct source {
    const char *rank, *run, *part;
} sources[] = {
    {"PMIX_RANK", "PMIX_NAMESPACE", NULL}, /* Open MPI's mpiexec, srun --mpi=pmix */
    {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess_base_jobid", NULL},
    {"PMI_RANK", "PMI_JOBID", NULL}, /* srun --mpi=pmi2 */
    {"PMI_RANK", "PALS_APID", NULL},
    {"PMI_RANK", "FLUX_JOB_ID", NULL},
    {"SLURM_PROCID", "SLURM_JOB_ID", "SLURM_STEP_ID"},
};

static const char *value_of(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    return value && *value ? value : NULL;
}

/* Name and parent of a process: "17 (a name) S 3 …" */
static bool read_process(long pid, char name[64], long *parent)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    char *begin = read ? strchr(line, '(') : NULL, *end = read ? strrchr(line, ')') : NULL;
    if (!begin || !end || sscanf(end + 1, " %*c %ld", parent) != 1)
        return false;
    snprintf(name, 64, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

/* MPICH's mpiexec has no name for a run. On one machine its proxy, above all of the processes, is
 * one; the machine's name tells apart what others run in the same directory. */
static char *run_of_hydra(void)
{
    const char *here = value_of("MPI_LOCALNRANKS"), *all = value_of("PMI_SIZE");
    if (!value_of("PMI_RANK") || !here || !all || strcmp(here, all) != 0)
        return NULL;
    char name[64], host[256] = "";
    gethostname(host, sizeof host - 1);
    for (long pid = getppid(), parent; pid > 1 && read_process(pid, name, &parent); pid = parent)
        if (!strncmp(name, "hydra_pmi_proxy", 15))
            return checked_printf("%s-%ld", host, pid);
    return NULL;
}

static char *fit_for_a_file(char *name)
{
    for (char *c = name; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            *c = '_';
    return name;
}

struct job job_find(void)
{
    struct job job = {0};
    const char *told = NULL;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0] && !job.name; i++) {
        const struct source *source = &sources[i];
        const char *rank = value_of(source->rank), *run = value_of(source->run),
                   *part = value_of(source->part);
        if (rank && !told)
            told = rank;
        if (!strcmp(source->rank, "SLURM_PROCID") && (job.name = run_of_hydra()))
            break;
        if (!rank || !run || (source->part && !part))
            continue;
        told = rank;
        job.name = checked_printf("%s%s%s", run, part ? "." : "", part ? part : "");
    }
    if (!told) { /* nobody but us */
        free(job.name);
        job.name = checked_printf("%ld", (long)getpid());
    }
    job.rank = told ? atoi(told) : 0;
    job.name = fit_for_a_file(job.name);
    return job;
}
