#include "preferences.h"

#include "error_document.h"
#include "service.h"

/* keep makes a preference of a document that is known to be right. */
static readpref_preference *keep(const uint8_t *document, size_t len) {
  readpref_preference *p = malloc(sizeof *p + len);
  if (p == NULL) return NULL;
  p->references = 1;
  p->len = len;
  memcpy(p->document, document, len);
  return p;
}

/* open_next opens with the slot that is next, under readpref_opening. */
static int32_t open_next(const readpref_job *job, uint32_t *handle) {
  readpref_job try = *job;
  readpref_preference *p = NULL;
  int32_t n;
  if (!readpref_handle_take(READPREF_PREFERENCE, handle)) return readpref_no_memory_document(job->out, job->cap);
  try.handle = *handle != 0 ? *handle : (uint32_t)READPREF_PREFERENCE << READPREF_KIND_SHIFT;
  n = readpref_service_try(&try, NULL);
  if (n == 0 && *handle == 0) return readpref_too_many_document(job->out, job->cap);
  if (n == 0) {
    p = keep(job->in, job->in_len);
    if (p == NULL) n = readpref_no_memory_document(job->out, job->cap);
  }
  if (p != NULL) {
    readpref_handle_publish(*handle, p);
  } else if (*handle != 0) {
    readpref_handle_give_back(*handle);
  }
  return n;
}

int32_t readpref_preference_open(const readpref_job *job, uint32_t *handle) {
  int32_t n;
  readpref_lock_take(&readpref_opening);
  n = open_next(job, handle);
  readpref_lock_give(&readpref_opening);
  return n;
}

int32_t readpref_preference_close(uint32_t handle) {
  readpref_preference *p = handle >> READPREF_KIND_SHIFT == READPREF_PREFERENCE ? readpref_handle_close(handle) : NULL;
  if (p == NULL) return RP_E_HANDLE;
  readpref_preference_return(p);
  return 0;
}

readpref_preference *readpref_preference_borrow(uint32_t handle) {
  readpref_preference *p = NULL;
  readpref_slot *slot;
  readpref_handles_lock();
  slot = readpref_handle_find(handle, READPREF_PREFERENCE);
  if (slot != NULL) {
    p = slot->opened;
    p->references++;
  }
  readpref_handles_unlock();
  return p;
}

void readpref_preference_return(readpref_preference *p) {
  bool last;
  readpref_handles_lock();
  last = --p->references == 0;
  readpref_handles_unlock();
  if (last) free(p);
}
