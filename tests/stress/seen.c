/* Linked to labelled programs by `shares`: prints what the program loaded into its variable `seen`, when the process ends. So a
 * load that came too early is part of the program's output, as a result would be. SEEN_BYTES is the size of the variable. */
#include <stdio.h>
#include <stdlib.h>

extern volatile unsigned char seen[SEEN_BYTES];

__attribute__((destructor)) static void print_seen(void)
{
    const char *rank = getenv("PMI_RANK");
    if (!rank)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    printf("rank %s has seen ", rank ? rank : "?");
    for (int i = 0; i < SEEN_BYTES; i++)
        printf("%02x", seen[i]);
    putchar('\n');
}
