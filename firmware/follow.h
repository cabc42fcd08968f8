/* Keeps up with tags that mostly rest: the loops of one axis tell which of them may have moved, and only those are looked
 * for on the other axes. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "scan.h"
#include "settings.h"

/* Fills the table with all tags of the scan's class and their strengths on the centred loops. The axes take turns, so
 * that no strength is older than the last turn of its axis; a tag that was heard otherwise than before is heard anew on all axes, in
 * this scan and in the next. */
enum ending follow_run(struct scan *scan, const struct geometry *geometry, void (*meanwhile)(void));

/* Nothing is known of any tag: the next scan is a whole one. */
void follow_forget(void);

#endif
