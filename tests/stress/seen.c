/* Linked to labelled programs by `shares`: prints what the program loaded into its variable SEEN, when the process ends. So a
 * load that came too early is part of the program's output, as a result would be. SEEN_BYTES is its size. */
#include <stdio.h>
#include <stdlib.h>

extern volatile unsigned char SEEN[SEEN_BYTES];

__attribute__((destructor)) static void print_seen(void)
{
    const char *rank = getenv("PMI_RANK");
    if (!rank)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    printf("rank %s has seen ", rank ? rank : "?");
    for (int i = 0; i < SEEN_BYTES; i++)
        printf("%02x", SEEN[i]);
    putchar('\n');
}
