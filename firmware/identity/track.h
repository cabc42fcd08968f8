/* Track tags that mostly rest: scan some loops to find tags that may have moved, and search only
 * those on the others. */
#ifndef TRACK_H
#define TRACK_H

#include "scan.h"
#include "settings.h"

/* Fill the table with all tags of the scan's class and their strengths on the centred loops. The
 * loops take turns: one axis's number of loops in a scan, or fewer if their tags would
 * make the scan too long. A tag whose strength differs is read again on all loops, in this
 * scan and in the next.
 *
 * It ends within 0.4 s. If that is too short it is unfinished, and the next one continues it. */
enum ending track_run(struct scan *scan, const struct geometry *geometry, void (*poll)(void));

/* Drop an unfinished pass: another scan uses the table. */
void track_abort(void);

/* Drop all known tags: the next scan is a whole one. */
void track_reset(void);

#endif
