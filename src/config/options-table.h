/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options and their table, for the readers of the module line and of the
 * configuration file.
 */
#ifndef LYRA2_OPTIONS_TABLE_H
#define LYRA2_OPTIONS_TABLE_H

#include <stdbool.h>

#include "option.h"

/* Options that files may give, and where. */
enum { OPTIONS_MAX = 32 };
struct options_written {
	struct options options;
	struct options lines;		/* before one follows from another */
	struct {
		const char *path;	/* NULL: by default */
		unsigned line;
	} from[OPTIONS_MAX];
	bool wrong;		/* something was complained about */
};

/* Gets each mistake as one line of text. */
typedef void options_complain(void *arg, const char *text);

/* The state that the readers of the line and of the files share. */
struct options_state {
	struct options *o;
	bool complained;
	bool failed;		/* a file could not be read to its end */
	const char *path;	/* of the file, while that is read */
	unsigned line;
	const char *method_path; /* the last about what new hashes are */
	unsigned method_line;
	struct options_written *written;	/* or NULL */
	options_complain *complain;
	void *arg;
};

/* Reports a mistake, with file and line if it is in a file. */
__attribute__((format(printf, 2, 3)))
void options_say(struct options_state *s, const char *format, ...);

/*
 * What method in pam_lyra2.conf(5) can name: METHOD_SYSTEM, then the methods of
 * new hashes.  NULL after the last.
 */
enum { METHOD_SYSTEM };
const struct method *options_method(uint32_t number);

/* Whether an option is about what new hashes are. */
bool options_is_of_new(const char *name);

/* Returns the number of a method, or METHOD_SYSTEM for NULL. */
uint32_t options_method_number(const char *name);

enum option_place { IN_ARGV = 1, IN_FILE = 2 };
enum option_result { OPTION_OK, OPTION_UNKNOWN, OPTION_INVALID };

/* Applies one option that stands on the module's line or in a file. */
enum option_result options_apply(struct options_state *s,
				 enum option_place place,
				 struct option_word *word);

/*
 * The name of row number row, and its value as a file would give it.  Returns
 * NULL after the last; the name is "" if no file may give it, the text if
 * nothing has.
 */
const char *options_text(const struct options *o, size_t row,
			 char text[OPTION_TEXT]);

/*
 * Like options_apply(), for an argument "name" or "name=value".  Sets only
 * word->why.
 */
enum option_result options_apply_argument(struct options_state *s,
					  enum option_place place,
					  const char *argument,
					  struct option_word *word);

#endif
