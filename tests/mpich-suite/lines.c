/* Preloaded into the programs of the suite, with and without Regatta, so that a line of output stays in one piece.
 * MPICH makes the standard output unbuffered, and then puts() writes a line and its end separately; when another rank's
 * line comes between the two, the output is one that no other run gives. Seen in one of six runs of basic/patterns. */
#include <stdio.h>

void setbuf(FILE *stream, char *buffer)
{
    if (stream == stdout && !buffer)
        setvbuf(stream, NULL, _IOLBF, 0);
    else
        setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
