/* A chain of WS2812, one a cell in the field's row order. */
#ifndef LAMPS_H
#define LAMPS_H

/* Read a lamp line behind its `*`, letter by letter; light it at the line's end. */
void lamps_begin(void);
void lamps_read(char letter);
void lamps_show(void);

#endif
