/* The run that this process is part of, as its launcher tells it by the environment. */
#ifndef REGATTA_CLI_JOB_H
#define REGATTA_CLI_JOB_H

struct job {
    int rank; /* of this process; 0 without a launcher */
    /* The same in all processes of the run and in no other's, fit to be part of a file's name. NULL
     * if the launcher tells nothing of the kind. To be freed. */
    char *name;
};

struct job job_find(void);

#endif
