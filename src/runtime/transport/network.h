/* Letters across nodes, as messages of MPI on a communicator of our own.
 *
 * A letter goes out in pieces that are small enough to be sent eagerly by every MPI and network we
 * know of: their copies leave the process without the receiver's help as long as the network has
 * room. Connections are made in MPI_Init, since making one later needs both sides. (Letters share
 * what room the network has with the program's messages: a program that relies on MPI_Send not to
 * wait for a receiver may find half of it.) Received is by one receive that is always posted;
 * progress is made only in calls of MPI that the program makes. */
#ifndef REGATTA_RUNTIME_NETWORK_H
#define REGATTA_RUNTIME_NETWORK_H

#include "transport.h"

/* Collective over MPI_COMM_WORLD. */
bool network_open(const bool *near);
/* Before that, on each rank by itself: the memory for it. Open only if all ranks have it. */
bool network_prepare(void);
/* Collective over MPI_COMM_WORLD, before MPI_Finalize: nothing of ours stays under way, whoever has
 * given up. Letters that have not been read are lost. */
void network_close(void);

bool network_letter_send(uint32_t to, const struct letter *letter, const void *prefix,
                         size_t prefix_size);
/* Whether this thread may call MPI at all. */
bool network_may_call(void);

/* Hands over the letters that have arrived completely. */
void network_letters_read(letter_reader *read);

/* Collective over the world, in the background: every rank says how many letters it has sent to
 * each rank; `expected` is how many were sent to this one. `sent` must stay as it is until the
 * count is over. */
void network_count_start(const int *sent);
bool network_count_is_over(int *expected);

/* A barrier that starts with the first call of this. */
bool network_barrier_is_over(void);

#endif
