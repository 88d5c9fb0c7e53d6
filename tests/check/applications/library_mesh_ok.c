/* expect: none */
/* Part of a library: handles with arrays of buffers, opened by others. */
#include <mpi.h>
#include <stdlib.h>

struct other_lib_link {
    int peer, count;
    double *send, *receive;
    MPI_Request requests[2];
};

struct other_lib_mesh {
    int nlinks;
    struct other_lib_link *links;
    MPI_Comm comm;
};

int other_lib_mesh_start(struct other_lib_mesh *m)
{
    for (int i = 0; i < m->nlinks; i++) {
        struct other_lib_link *l = &m->links[i];
        int code = MPI_Irecv(l->receive, l->count, MPI_DOUBLE, l->peer, 0, m->comm, &l->requests[0]);
        if (code != MPI_SUCCESS)
            return code;
        code = MPI_Isend(l->send, l->count, MPI_DOUBLE, l->peer, 0, m->comm, &l->requests[1]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

int other_lib_mesh_wait(struct other_lib_mesh *m)
{
    for (int i = 0; i < m->nlinks; i++) {
        int code = MPI_Waitall(2, m->links[i].requests, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static void other_lib_scale(struct other_lib_mesh *m, double by)
{
    for (int i = 0; i < m->nlinks; i++)
        for (int k = 0; k < m->links[i].count; k++)
            m->links[i].send[k] *= by;
}

int other_lib_mesh_exchange(struct other_lib_mesh *m, double by)
{
    int code = other_lib_mesh_start(m);
    if (code != MPI_SUCCESS)
        return code;
    code = other_lib_mesh_wait(m);
    other_lib_scale(m, by);
    return code;
}
