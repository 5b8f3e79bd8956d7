/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of results: for people and as JSON. */
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

struct cell cell_text(const char *text)
{
	struct cell c = { .type = CELL_TEXT };

	snprintf(c.text, sizeof(c.text), "%s", text);
	return c;
}

struct cell cell_count(uint64_t count)
{
	return (struct cell){ .type = CELL_COUNT, .count = count };
}

struct cell cell_number(double number)
{
	return (struct cell){ .type = CELL_NUMBER, .number = number };
}

struct cell cell_bool(bool value)
{
	return (struct cell){ .type = CELL_BOOL, .count = value };
}

static size_t columns(const struct table *t)
{
	size_t n = 0;

	while (n < TABLE_COLUMNS && t->columns[n].key)
		n++;
	return n;
}

void table_add(struct table *t, const struct cell *cells)
{
	if (t->n < TABLE_ROWS)
		memcpy(t->cells[t->n++], cells, columns(t) * sizeof(*cells));
}

static void format(char *out, size_t size, const struct cell *c, int decimals)
{
	*out = '\0';
	if (c->type == CELL_TEXT)
		snprintf(out, size, "%s", c->text);
	else if (c->type == CELL_COUNT)
		snprintf(out, size, "%" PRIu64, c->count);
	else if (c->type == CELL_NUMBER)
		snprintf(out, size, "%.*f", decimals, c->number);
	else if (c->type == CELL_BOOL)
		snprintf(out, size, "%s", c->count ? "yes" : "no");
}

static int width(const struct table *t, size_t column)
{
	char text[2 * TABLE_TEXT];
	size_t i, widest = strlen(t->columns[column].title);

	for (i = 0; i < t->n; i++) {
		format(text, sizeof(text), &t->cells[i][column],
		       t->columns[column].decimals);
		if (strlen(text) > widest)
			widest = strlen(text);
	}
	return (int)widest;
}

/* Text stands on the left of its column, all else on the right. */
static void print_row(const struct table *t, const int *widths,
		      const struct cell *row)
{
	char text[2 * TABLE_TEXT];
	size_t i;

	for (i = 0; i < columns(t); i++) {
		const bool left = t->n && t->cells[0][i].type == CELL_TEXT;

		if (row)
			format(text, sizeof(text), &row[i],
			       t->columns[i].decimals);
		else
			snprintf(text, sizeof(text), "%s",
				 t->columns[i].title);
		printf("%s%*s", i ? "  " : "", left ? -widths[i] : widths[i],
		       text);
	}
	putchar('\n');
}

void table_print(const struct table *t, const char *prefix)
{
	int widths[TABLE_COLUMNS];
	size_t i;

	for (i = 0; i < columns(t); i++)
		widths[i] = width(t, i);
	printf("%s%s\n%s", prefix, t->title, prefix);
	print_row(t, widths, NULL);
	for (i = 0; i < t->n; i++) {
		fputs(prefix, stdout);
		print_row(t, widths, t->cells[i]);
	}
}

static void json_cell(const struct cell *c)
{
	char text[2 * TABLE_TEXT];

	if (c->type == CELL_TEXT) {
		json_text(c->text);
	} else if (c->type == CELL_BOOL) {
		fputs(c->count ? "true" : "false", stdout);
	} else if (c->type == CELL_NONE) {
		fputs("null", stdout);
	} else {
		format(text, sizeof(text), c, 4);
		fputs(text, stdout);
	}
}

void table_json(const struct table *t)
{
	size_t i, j;

	printf("\"%s\":[", t->key);
	for (i = 0; i < t->n; i++) {
		printf("%s\n{", i ? "," : "");
		for (j = 0; j < columns(t); j++) {
			printf("%s\"%s\":", j ? "," : "", t->columns[j].key);
			json_cell(&t->cells[i][j]);
		}
		putchar('}');
	}
	putchar(']');
}
