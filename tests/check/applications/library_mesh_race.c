/* expect: local-race A B */
/* Part of a library: handles with arrays of buffers, opened by others. */
#include <mpi.h>
#include <stdlib.h>

struct lib_link {
    int peer, count;
    double *send, *receive;
    MPI_Request requests[2];
};

struct lib_mesh {
    int nlinks;
    struct lib_link *links;
    MPI_Comm comm;
};

int lib_mesh_start(struct lib_mesh *m)
{
    for (int i = 0; i < m->nlinks; i++) {
        struct lib_link *l = &m->links[i];
        int code = MPI_Irecv(l->receive, l->count, MPI_DOUBLE, l->peer, 0, m->comm, &l->requests[0]);
        if (code != MPI_SUCCESS)
            return code;
        code = MPI_Isend(l->send, l->count, MPI_DOUBLE, l->peer, 0, m->comm, &l->requests[1]); /* A */
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

int lib_mesh_wait(struct lib_mesh *m)
{
    for (int i = 0; i < m->nlinks; i++) {
        int code = MPI_Waitall(2, m->links[i].requests, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static void lib_scale(struct lib_mesh *m, double by)
{
    for (int i = 0; i < m->nlinks; i++)
        for (int k = 0; k < m->links[i].count; k++)
            m->links[i].send[k] *= by; /* B */
}

int lib_mesh_exchange(struct lib_mesh *m, double by)
{
    int code = lib_mesh_start(m);
    if (code != MPI_SUCCESS)
        return code;
    lib_scale(m, by);
    return lib_mesh_wait(m);
}
