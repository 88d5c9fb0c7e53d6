/* Partitioned communication: the sender's clock at MPI_Pready follows each partition. Needs the
 * session's lock.
 *
 * MPI matches MPI_Psend_init and MPI_Precv_init of one communicator, source and tag in the order of
 * these calls, and from then on round n of one end with round n of the other (MPI-4.0 §4.2). A
 * receiver may cut the data into other partitions than the sender, so the first clock of a round
 * says how many there are. */
#ifndef REGATTA_RUNTIME_PARTITIONED_H
#define REGATTA_RUNTIME_PARTITIONED_H

#include "comms.h"

/* One end, as long as its request lives. */
struct partitioned {
    uint32_t peer;  /* in MPI_COMM_WORLD */
    uint64_t topic; /* which pair of ends; 0: nothing to do */
    uint64_t round; /* MPI_Start so far */
    uint32_t partitions;
    bool announced; /* sender: this round's first clock is on its way; receiver: it has come */
    /* receiver: how many partitions the sender has, and whether this round's clock of each is known
     */
    uint32_t theirs;
    bool *learnt; /* allocated */
};

/* MPI_Psend_init or MPI_Precv_init. */
void partitioned_prepare(struct partitioned *end, const struct call *call, bool sends);
void partitioned_start(struct partitioned *end);
void partitioned_free(struct partitioned *end);

/* Sender: before MPI_Pready. */
void partitioned_ready(struct partitioned *end, int partition);
/* Receiver: MPI_Parrived has said yes; the round is complete. */
void partitioned_arrived(struct partitioned *end, int partition);
void partitioned_complete(struct partitioned *end);

#endif
