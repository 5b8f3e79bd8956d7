/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints results: as tables for people, and as JSON. */
#ifndef LYRA2_TOOL_TABLE_H
#define LYRA2_TOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS = 10, TABLE_ROWS = 64, TABLE_TEXT = 40 };

struct cell {
	enum { CELL_NONE, CELL_TEXT, CELL_COUNT, CELL_NUMBER, CELL_BOOL } type;
	char text[TABLE_TEXT];
	uint64_t count;
	double number;
};

struct column {
	const char *key;	/* in JSON */
	const char *title;	/* for people */
	int decimals;		/* of a number, for people */
};

struct table {
	const char *key, *title;
	const struct column *columns;	/* up to one without a key */
	size_t n;			/* rows */
	struct cell cells[TABLE_ROWS][TABLE_COLUMNS];
};

struct cell cell_text(const char *text);
struct cell cell_count(uint64_t count);
struct cell cell_number(double number);
struct cell cell_bool(bool value);

/* Adds a row with a cell for each column. */
void table_add(struct table *t, const struct cell *cells);

/* Each line begins with the prefix. */
void table_print(const struct table *t, const char *prefix);
/* "KEY":[{...}, ...] */
void table_json(const struct table *t);

#endif
