/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crypt-lyra2.c - the $lyra2$ and $bashlyra2$ hash methods of libxcrypt, which
 * call the public interface of liblyra2: alg-lyra2.c.
 *
 * libxcrypt fills output with a failure token before the call.  A method
 * overwrites it with a complete result, or sets errno and does not change it.
 */
#include "crypt-port.h"

#if INCLUDE_lyra2 || INCLUDE_bash_lyra2

#include "alg-lyra2.c"

static_assert (LYRA2_MAX_STRING <= ALG_SPECIFIC_SIZE,
               "ALG_SPECIFIC_SIZE is too small for lyra2.");
static_assert (LYRA2_MAX_PASSWORD >= CRYPT_MAX_PASSPHRASE_SIZE - 1,
               "lyra2 refuses passphrases that libcrypt accepts.");

static void
crypt_either (const char *phrase, size_t phr_size, const char *setting,
              uint8_t *output, size_t out_size, void *scratch, size_t scr_size)
{
  if (out_size < LYRA2_MAX_STRING || scr_size < LYRA2_MAX_STRING)
    {
      errno = ERANGE;
      return;
    }
  /* Not into output: lyra2_crypt() empties its buffer if it fails. */
  if (lyra2_crypt (NULL, setting, phrase, phr_size, scratch, LYRA2_MAX_STRING)
      == 0)
    strcpy_or_abort (output, out_size, scratch);
  else if (errno == EDOM)
    errno = EINVAL; /* crypt(3)'s error if a cost is too high */
}

static void
gensalt_either (uint32_t method, unsigned long count, const uint8_t *rbytes,
                size_t nrbytes, uint8_t *output, size_t output_size)
{
  char setting[CRYPT_GENSALT_OUTPUT_SIZE];
  struct lyra2_params params;

  if ((count > 0 && count < LYRA2_MIN_COST) || count > LYRA2_MAX_COST
      || nrbytes < LYRA2_NEW_RANDOM)
    {
      errno = EINVAL;
      return;
    }
  lyra2_params_default (&params);
  if (count > 0)
    params.rows = UINT32_C (1) << count;
  if (lyra2_gensalt (method, &params, rbytes, MIN (nrbytes, LYRA2_MAX_RANDOM),
                     setting, MIN (output_size, sizeof (setting)))
      < 0)
    return;
  strcpy_or_abort (output, output_size, setting);
}

#if INCLUDE_lyra2
void
crypt_lyra2_rn (const char *phrase, size_t phr_size, const char *setting,
                size_t ARG_UNUSED (set_size), uint8_t *output,
                size_t out_size, void *scratch, size_t scr_size)
{
  crypt_either (phrase, phr_size, setting, output, out_size, scratch,
                scr_size);
}

void
gensalt_lyra2_rn (unsigned long count, const uint8_t *rbytes, size_t nrbytes,
                  uint8_t *output, size_t output_size)
{
  gensalt_either (LYRA2_METHOD_LYRA2, count, rbytes, nrbytes, output,
                  output_size);
}
#endif

#if INCLUDE_bash_lyra2
void
crypt_bash_lyra2_rn (const char *phrase, size_t phr_size, const char *setting,
                     size_t ARG_UNUSED (set_size), uint8_t *output,
                     size_t out_size, void *scratch, size_t scr_size)
{
  crypt_either (phrase, phr_size, setting, output, out_size, scratch,
                scr_size);
}

void
gensalt_bash_lyra2_rn (unsigned long count, const uint8_t *rbytes,
                       size_t nrbytes, uint8_t *output, size_t output_size)
{
  gensalt_either (LYRA2_METHOD_BASH_LYRA2, count, rbytes, nrbytes, output,
                  output_size);
}
#endif

#endif /* INCLUDE_lyra2 || INCLUDE_bash_lyra2 */
