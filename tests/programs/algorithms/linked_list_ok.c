/* ranks: 4 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a stack of elements in the owners' memory (dynamic window). Its top, a pointer with the
 * owner's rank, lies at rank 0 and is moved by compare and swap. Who reads the pointer knows what its owner stored before, and
 * through the owner, who read the pointer to the next one, all that lies below.
 *
 * An element is complete before it is pushed.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKS = 4 };
struct element {
    uint64_t next, value;
};
static _Alignas(64) uint64_t top[1];
static _Alignas(64) struct element own;

static uint64_t pointer_to(const struct element *element, int rank)
{
    MPI_Aint address;

    MPI_Get_address(element, &address);
    return (uint64_t)address * RANKS + (uint64_t)rank;
}

static void push(struct element *element, int rank, MPI_Win head, MPI_Win heap)
{
    uint64_t pointer = pointer_to(element, rank), expected, seen = 0;

    element->value = 100 + (uint64_t)rank;
    do {
        expected = seen;
        element->next = expected;
        MPI_Win_sync(heap);
        MPI_Compare_and_swap(&pointer, &expected, &seen, MPI_UINT64_T, 0, 0, head);
        MPI_Win_flush(0, head);
    } while (seen != expected);
}

static int walk(MPI_Win head, MPI_Win heap)
{
    int length = 0;
    uint64_t at;

    MPI_Fetch_and_op(NULL, &at, MPI_UINT64_T, 0, 0, MPI_NO_OP, head);
    MPI_Win_flush(0, head);
    while (at) {
        struct element seen;
        MPI_Get(&seen, 2, MPI_UINT64_T, (int)(at % RANKS), (MPI_Aint)(at / RANKS), 2, MPI_UINT64_T, heap);
        MPI_Win_flush((int)(at % RANKS), heap);
        at = seen.next;
        length++;
    }
    return length;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win head, heap;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(top, sizeof top, sizeof top[0], MPI_INFO_NULL, MPI_COMM_WORLD, &head);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &heap);
    MPI_Win_attach(heap, &own, sizeof own);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, head);
    MPI_Win_lock_all(0, heap);
    if (rank == 0)
        while (walk(head, heap) < RANKS - 1)
            ;
    else
        push(&own, rank, head, heap);
    MPI_Win_unlock_all(heap);
    MPI_Win_unlock_all(head);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(heap, &own);
    MPI_Win_free(&heap);
    MPI_Win_free(&head);
    MPI_Finalize();
    return 0;
}
