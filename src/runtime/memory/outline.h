/* Where window memory is, for compiled-in checks, which read it without a lock (struct
 * access_windows). It must never leave out a byte of window memory; that it covers more costs time
 * only. Written with the session's lock held. */
#ifndef REGATTA_RUNTIME_OUTLINE_H
#define REGATTA_RUNTIME_OUTLINE_H

#include "access/hooks.h"
#include "engine/spans.h"

extern struct access_windows outline_windows;

/* Exactly these pieces: sorts them, so it is for a few, or for seldom. False if there is no memory;
 * the outline is as it was then. */
bool outline_draw(const struct spans *pieces);
/* One more piece, however many there are: where it lies beside all others the nearest one is
 * stretched to it, over what is between them. At least one piece must have been drawn. */
void outline_stretch(uint64_t low, uint64_t high);

#endif
