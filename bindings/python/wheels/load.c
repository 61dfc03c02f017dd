/* A host for the extension where there is no Python: what it asks of Python is there by name, and only two functions are called. */
#include <dlfcn.h>
#include <stdio.h>

static void *definition;

const char *Py_GetVersion(void) {
  return "3.12.0 (none)";
}

void *PyModuleDef_Init(void *def) {
  definition = def;
  return def;
}

int main(int argc, char **argv) {
  void *library, *(*init)(void);
  if (argc != 2) return 2;
  library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  *(void **)&init = dlsym(library, "PyInit__engine");
  if (init == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (dlsym(library, "rp_call") != NULL) return fprintf(stderr, "rp_call is exported\n"), 1;
  if (init() == NULL || definition == NULL) return fprintf(stderr, "no module\n"), 1;
  puts("PyInit__engine called");
  return 0;
}
