/* Keeps up with tags that mostly rest: some of the loops tell which of them may have moved, and only those are looked
 * for on the others. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "scan.h"
#include "settings.h"

/* Fills the table with all tags of the scan's class and their strengths on the centred loops. The loops take turns, as
 * many in a scan as one axis has, or fewer where they hear so much that the scan would take too long. A tag that is
 * heard otherwise than before is heard anew on all loops, in this scan and in the next.
 *
 * It ends within 0.4 s; unfinished, if that is too short, and the next one goes on with it where it ended. */
enum ending track_run(struct scan *scan, const struct geometry *geometry, void (*meanwhile)(void));

/* Another scan takes the table: what was left unfinished is begun anew. */
void track_abort(void);

/* Nothing is known of any tag: the next scan is a whole one. */
void track_reset(void);

#endif
