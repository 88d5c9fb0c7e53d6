/* What the C sources of random programs (translate.c) have in common. */
#include <mpi.h>
#include <stdlib.h>

enum { COMMS = 4, WINDOWS = 5, SLOTS = 64, SPARE = 512 };

/* MPICH 4.0.2 with UCX may put beside a window whose base is not aligned: there is room for that. */
static _Alignas(4096) char room[4096 + MEMORY + 4096];
static char *const memory = room + 4096;
static char spare[STEPS][3][SPARE]; /* buffers of each step, which nobody else uses */
static MPI_Aint address_of[RANKS];  /* everybody's memory */
static MPI_Comm comm[COMMS], ring[COMMS];
static MPI_Win window[WINDOWS];
static MPI_Request request[SLOTS];
static MPI_Info same_op;
static int rank, places[RANKS];
static volatile long sink;

struct blocks {
    int start, length, stride, count; /* in bytes */
};

static inline MPI_Datatype layout(MPI_Datatype basic, int element, int count, const struct blocks *sections)
{
    int lengths[SPARE], blocks = 0;
    MPI_Aint starts[SPARE];
    MPI_Datatype type;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < sections[i].count; k++) {
            starts[blocks] = sections[i].start + k * sections[i].stride;
            lengths[blocks++] = sections[i].length / element;
        }
    MPI_Type_create_hindexed(blocks, lengths, starts, basic, &type);
    MPI_Type_commit(&type);
    return type;
}

static inline MPI_Group group_of(MPI_Win win, int count, const int *ranks)
{
    MPI_Group all, some;
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, count, ranks, &some);
    return some;
}

static inline void add_comm(int number, int members)
{
    int size, mine, before, after;
    MPI_Comm_split(MPI_COMM_WORLD, members >> rank & 1 ? 0 : MPI_UNDEFINED, rank, &comm[number]);
    if (comm[number] == MPI_COMM_NULL)
        return;
    MPI_Comm_size(comm[number], &size);
    MPI_Comm_rank(comm[number], &mine);
    before = (mine + size - 1) % size;
    after = (mine + 1) % size;
    MPI_Dist_graph_create_adjacent(comm[number], 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring[number]);
}

static inline void begin(int *argc, char ***argv)
{
    MPI_Aint mine;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    add_comm(0, 0xff);
    MPI_Get_address(memory, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, address_of, 1, MPI_AINT, MPI_COMM_WORLD);
    for (int i = 0; i < WINDOWS; i++)
        window[i] = MPI_WIN_NULL;
    for (int i = 0; i < RANKS; i++)
        places[i] = i;
    MPI_Info_create(&same_op);
    MPI_Info_set(same_op, "accumulate_ops", "same_op");
}

static inline void end(void)
{
    for (int i = 0; i < WINDOWS; i++)
        if (window[i] != MPI_WIN_NULL)
            MPI_Win_free(&window[i]);
    MPI_Finalize();
}
