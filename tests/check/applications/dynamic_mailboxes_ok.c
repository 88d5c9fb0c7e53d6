/* expect: none */
/* Mailboxes attached to a dynamic window, their addresses gathered; the owner looks into its box before everybody has written. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct mailbox {
    int slots;
    long *letters;
};

struct post {
    int rank, size;
    struct mailbox box;
    MPI_Aint *addresses;
    MPI_Win win;
};

static void post_open(struct post *p)
{
    MPI_Aint mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->box.slots = p->size;
    p->box.letters = calloc((size_t)p->size, sizeof(long));
    p->addresses = malloc((size_t)p->size * sizeof *p->addresses);
    if (!p->box.letters || !p->addresses)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &p->win);
    MPI_Win_attach(p->win, p->box.letters, p->size * (MPI_Aint)sizeof(long));
    MPI_Get_address(p->box.letters, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, p->addresses, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, p->win);
}

static void post_letter(struct post *p, int to, const long *letter)
{
    MPI_Aint place = MPI_Aint_add(p->addresses[to], p->rank * (MPI_Aint)sizeof(long));
    MPI_Put(letter, 1, MPI_LONG, to, place, 1, MPI_LONG, p->win);
}

static long post_read(const struct post *p)
{
    long sum = 0;
    for (int i = 0; i < p->box.slots; i++)
        sum += p->box.letters[i];
    return sum;
}

static void post_close(struct post *p)
{
    MPI_Win_unlock_all(p->win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(p->win, p->box.letters);
    MPI_Win_free(&p->win);
    free(p->box.letters);
    free(p->addresses);
}

int main(int argc, char **argv)
{
    struct post p;
    MPI_Init(&argc, &argv);
    post_open(&p);
    long letter = 100 + p.rank;
    for (int to = 0; to < p.size; to++)
        post_letter(&p, to, &letter);
    MPI_Win_flush_all(p.win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(p.win);
    printf("%d: %ld\n", p.rank, post_read(&p));
    post_close(&p);
    MPI_Finalize();
    return 0;
}
