/* SPDX-License-Identifier: BSD-2-Clause */
/* The $bashlyra2$ hashing method. */
#include "crypt-port.h"

#if INCLUDE_bash_lyra2

#include "alg-bash256.h"
#include "alg-lyra2.h"

#include <errno.h>

#define PREFIX "$bashlyra2$"

/* For use in scratch space by crypt_bash_lyra2_rn().  */
typedef struct
{
  struct lyra2_job job;
  uint8_t key[BASH256];
  uint8_t hash[LYRA2_HASH_BYTES];
  char outbuf[CRYPT_OUTPUT_SIZE];
} crypt_bash_lyra2_internal_t;

static_assert (sizeof (crypt_bash_lyra2_internal_t) <= ALG_SPECIFIC_SIZE,
               "ALG_SPECIFIC_SIZE is too small for bash-lyra2.");

/*
 * As OUTPUT is initialized with a failure token before crypt_bash_lyra2_rn
 * is called, in case of an error we could just set an appropriate errno
 * and return.
 */
void
crypt_bash_lyra2_rn (const char *phrase, size_t phr_size,
                     const char *setting, size_t ARG_UNUSED (set_size),
                     uint8_t *output, size_t o_size,
                     void *scratch, size_t s_size)
{
  crypt_bash_lyra2_internal_t *intbuf = scratch;
  struct lyra2_job *job = &intbuf->job;
  const char *end;
  size_t n;

  if (s_size < sizeof (*intbuf))
    {
      errno = ERANGE;
      return;
    }
  if (!lyra2_decode (job, PREFIX, setting, &end))
    {
      errno = EINVAL;
      return;
    }
  n = (size_t)(end - setting);
  if (MIN (o_size, sizeof (intbuf->outbuf))
      < n + 1 + BASE64_LEN (LYRA2_HASH_BYTES) + 1)
    {
      errno = ERANGE;
      return;
    }

  /* Lyra2 absorbs the whole setting as its salt.  */
  job->salt = (const uint8_t *)setting;
  job->saltlen = n;
  job->password = (const uint8_t *)phrase;
  job->passwordlen = phr_size;
  job->key = intbuf->hash;
  job->keylen = sizeof (intbuf->hash);
  if (!lyra2_compute (job))
    return;

  /* HMAC (HMAC (bash256 (phrase), setting), hash)  */
  bash256 (phrase, phr_size, intbuf->key);
  bash256_hmac (intbuf->key, setting, n, intbuf->key);
  bash256_hmac (intbuf->key, intbuf->hash, sizeof (intbuf->hash),
                intbuf->hash);
  lyra2_wipe_stack ();

  /* SETTING may be in OUTPUT.  */
  memcpy (intbuf->outbuf, setting, n);
  intbuf->outbuf[n] = '$';
  lyra2_encode (intbuf->hash, sizeof (intbuf->hash), intbuf->outbuf + n + 1);
  strcpy_or_abort (output, o_size, intbuf->outbuf);
}

void
gensalt_bash_lyra2_rn (unsigned long count,
                       const uint8_t *rbytes, size_t nrbytes,
                       uint8_t *output, size_t o_size)
{
  lyra2_gensalt (PREFIX, count, rbytes, nrbytes, output, o_size);
}

#endif /* INCLUDE_bash_lyra2 */
