/*
 * What the library leaves alone in the process that loads it: signals, threads, files, and the stack of a small thread. It
 * is loaded by dlopen from the path in the first argument, so that before and after can be compared.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "readpref.h"
#include "request.h"

static const char *path;

typedef int32_t call_function(const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *, size_t);

static void *load(call_function **call) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
  symbol = dlsym(library, "rp_call");
  memcpy(call, &symbol, sizeof symbol);
  return library;
}

static int right(call_function *call) {
  uint8_t out[1024];
  int32_t n = call((const uint8_t *)"select", 6, (const uint8_t *)SECONDARY, strlen(SECONDARY), out, sizeof out);
  return n == (int32_t)strlen(SECONDARY_ANSWER) && memcmp(out, SECONDARY_ANSWER, (size_t)n) == 0;
}

static unsigned entries(const char *directory) {
  DIR *d = opendir(directory);
  unsigned n = 0;
  if (d == NULL) return 0;
  while (readdir(d) != NULL) n++;
  closedir(d);
  return n;
}

static void on_segv(int signal) {
  (void)signal;
}

static void signals_and_threads(void) {
  struct sigaction mine, before[65], after;
  call_function *call;
  sigset_t mask_before, mask_after;
  stack_t stack;
  unsigned threads = entries("/proc/self/task");
  void *library;
  int s;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = on_segv;
  sigaction(SIGSEGV, &mine, NULL);
  for (s = 1; s < 65; s++) {
    memset(&before[s], 0, sizeof before[s]);
    sigaction(s, NULL, &before[s]);
  }
  memset(&mask_before, 0, sizeof mask_before); /* a libc may fill in only the part of a set that the kernel has */
  memset(&mask_after, 0, sizeof mask_after);
  sigprocmask(SIG_SETMASK, NULL, &mask_before);
  library = load(&call);
  CHECK(right(call), "a select");
  for (s = 1; s < 65; s++) {
    memset(&after, 0, sizeof after);
    sigaction(s, NULL, &after);
    CHECK(after.sa_handler == before[s].sa_handler && after.sa_flags == before[s].sa_flags, "signal %d has another handler", s);
  }
  sigprocmask(SIG_SETMASK, NULL, &mask_after);
  CHECK(memcmp(&mask_before, &mask_after, sizeof mask_before) == 0, "another signal mask");
  CHECK(sigaltstack(NULL, &stack) == 0 && stack.ss_flags == SS_DISABLE, "an alternate stack");
  CHECK(threads > 2 && entries("/proc/self/task") == threads, "%u tasks, %u before", entries("/proc/self/task"), threads);
  dlclose(library);
}

static long resident_pages(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  long size = 0, resident = 0;
  if (f == NULL || fscanf(f, "%ld %ld", &size, &resident) != 2) abort();
  fclose(f);
  return resident;
}

static unsigned mappings(void) {
  FILE *f = fopen("/proc/self/maps", "r");
  unsigned n = 0;
  int c;
  if (f == NULL) abort();
  while ((c = getc(f)) != EOF) n += c == '\n';
  fclose(f);
  return n;
}

static int nothing(void) {
  return 0;
}

/* dlclose takes everything along: memory, mappings, files, and the handlers that fork would call. */
static void load_and_unload(void) {
  unsigned i, files = 0, maps = 0;
  long pages = 0;
  for (i = 0; i < 40; i++) {
    call_function *call;
    void *library = load(&call);
    CHECK(right(call), "a select after load %u", i);
    dlclose(library);
    if (i == 4) files = entries("/proc/self/fd"), maps = mappings(), pages = resident_pages();
  }
  CHECK(child_wait(child_start(nothing), 30) == CHILD_RIGHT, "a fork afterwards");
  CHECK(entries("/proc/self/fd") == files, "%u files, %u before", entries("/proc/self/fd"), files);
  CHECK(mappings() <= maps, "%u mappings, %u before", mappings(), maps);
  CHECK(resident_pages() <= pages + 64, "%ld pages, %ld before", resident_pages(), pages);
}

enum { STACK = 128 << 10 }; /* what musl gives a thread */

typedef struct {
  call_function *call;
  int right;
} small;

static void *small_thread(void *arg) {
  small *s = arg;
  unsigned i;
  for (i = 0; i < 200; i++) s->right += right(s->call);
  return NULL;
}

static void small_stack(void) {
  static uint8_t stack[STACK] __attribute__((aligned(4096)));
  small s = {NULL, 0};
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  void *library = load(&s.call);
  memset(stack, 0x5a, sizeof stack);
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, sizeof stack) != 0) abort();
  if (pthread_create(&thread, &attributes, small_thread, &s) != 0) abort();
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  CHECK(s.right == 200, "%d of 200 selects", s.right);
  while (untouched < sizeof stack && stack[untouched] == 0x5a) untouched++;
  CHECK(untouched > sizeof stack / 4, "the first calls of a process took %lu bytes of the stack", (unsigned long)(sizeof stack - untouched));
  fprintf(stderr, "stack: %lu bytes\n", (unsigned long)(sizeof stack - untouched));
  dlclose(library);
}

/* A daemon closes all files, and its next files get their numbers. */
static void files_closed(void) {
  call_function *call;
  void *library = load(&call);
  int fd;
  CHECK(right(call), "a select");
  for (fd = 3; fd < 64; fd++) close(fd);
  for (fd = 3; fd < 16; fd++) {
    if (dup(0) < 0) perror("dup");
  }
  CHECK(right(call), "a select without files");
  dlclose(library); /* does not close files that are not its own */
  for (fd = 3; fd < 16; fd++) CHECK(close(fd) == 0, "file %d was closed", fd);
}

int main(int argc, char **argv) {
  static const check_test tests[] = {
      {"signals and threads are the host's", signals_and_threads},
      {"a thread of 128 KiB", small_stack},
      {"closed files", files_closed},
      {"load and unload", load_and_unload},
  };
  int emulated = argc == 3 && strcmp(argv[2], "emulated") == 0; /* the memory would be the emulator's */
  if (argc != 2 && !emulated) return 2;
  path = argv[1];
  return check_main(tests, sizeof tests / sizeof tests[0] - (emulated != 0));
}
