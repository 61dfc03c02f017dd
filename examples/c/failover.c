/*
 * failover COMMAND...: routes reads and writes through a failover, a lost data centre and a restart, and prints which member
 * served each. COMMAND starts the replica set of examples/replicaset: failover python3 examples/replicaset.
 */
#include "driver.h"
#include "replicaset.h"

static const char *uri; /* {"uri":"mongodb://..."} */

/* name: the members' names are a, b, c... in the order of the URI. */
static char name(const char *address) {
  const char *at = strstr(uri, address), *c;
  char letter = 'a';
  for (c = uri; at != NULL && c < at; c++) letter += *c == ',';
  return at == NULL ? '?' : letter;
}

/*
 * operate: an operation, and once more where the server could not serve it, with the member that served it, which stands at
 * this path in the reply. (A real driver numbers its writes, so that none is done twice: Retryable Writes specification.)
 */
static void operate(const char *preference_json, uint32_t operation, bson_t *command, const char *member) {
  char document[512], address[MAX_ADDRESS];
  int len = snprintf(document, sizeof document, "{\"readPreference\":%s}", preference_json);
  uint32_t preference = opened(rp_readpref_open((const uint8_t *)document, (size_t)len, answer, sizeof answer));
  int tries, served = 0;
  for (tries = 0; !served && tries < 2; tries++) {
    int32_t id = choose(preference, operation);
    bson_t *reply, *why;
    if (id < 0) {
      why = answered(rp_explain(topology, preference, NULL, 0, answer, sizeof answer));
      printf(" no server\n");
      fprintf(stderr, "%s\n", text(why, "reason.message"));
      bson_destroy(why);
      break;
    }
    reply = attempt(preference, id, operation, command, address);
    served = reply != NULL && number(reply, "ok") == 1;
    if (served) {
      printf(" %s\n", text(reply, member));
    } else if (reply == NULL) {
      printf(" %c lost,", name(address));
    } else if (retryable(number(reply, "code"))) {
      printf(" %c refused (%d),", name(address), (int)number(reply, "code"));
    } else {
      fprintf(stderr, "%s: %s\n", address, text(reply, "errmsg"));
      exit(1);
    }
    if (reply != NULL) bson_destroy(reply);
  }
  if (tries == 2 && !served) printf(" failed\n");
  bson_destroy(command);
  rp_close(preference);
}

static void do_read(const char *preference) {
  printf("  read %s:", preference);
  operate(preference, RP_READ, BCON_NEW("find", "orders", "$db", "shop"), "cursor.firstBatch.0.member");
}

static void do_write(void) {
  printf("  write:");
  operate("{}", RP_WRITE, BCON_NEW("insert", "orders", "documents", "[", "{", "}", "]", "$db", "shop"), "member");
}

/* happens: something befalls the set, and, where the driver shall know of it already, a heartbeat goes by. */
static void happens(const char *what, const char *request, int heartbeat) {
  printf("%s\n", what);
  replicaset_do(request);
  if (heartbeat) scan(1);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s COMMAND...\n", argv[0]);
    return 2;
  }
  uri = strdup(replicaset_start(argv + 1));
  driver_open(uri);
  puts("start");
  do_write();
  do_read("{}");
  do_read("{\"mode\":\"secondaryPreferred\"}");
  do_read("{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"sf\"}]}");
  do_read("{\"mode\":\"nearest\",\"tags\":[{\"dc\":\"mars\"},{\"dc\":\"ldn\"}]}");
  happens("c lags 300 s behind", "{\"do\":\"lag\",\"member\":\"c\",\"seconds\":300}", 1);
  do_read("{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"sf\"},{}],\"maxStalenessSeconds\":150}");
  happens("a steps down", "{\"do\":\"stepDown\",\"member\":\"a\"}", 0);
  do_write();
  do_read("{\"mode\":\"secondaryPreferred\"}");
  happens("ny is lost", "{\"do\":\"kill\",\"tags\":{\"dc\":\"ny\"}}", 0);
  do_read("{\"mode\":\"secondaryPreferred\"}");
  do_write();
  do_read("{\"mode\":\"secondaryPreferred\"}");
  do_read("{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"ny\"}]}");
  happens("ny is back", "{\"do\":\"restart\",\"tags\":{\"dc\":\"ny\"}}", 1);
  do_read("{\"mode\":\"secondary\",\"tags\":[{\"rack\":\"2\"}]}");
  do_write();
  happens("a is elected", "{\"do\":\"elect\",\"member\":\"a\"}", 0);
  do_write();
  happens("b restarts", "{\"do\":\"restart\",\"member\":\"b\"}", 0);
  do_read("{\"mode\":\"secondary\",\"tags\":[{\"rack\":\"2\"}]}");
  happens("a is cut off", "{\"do\":\"partition\",\"groups\":[[\"a\"]]}", 1);
  do_write();
  do_read("{\"mode\":\"secondaryPreferred\"}");
  happens("a is joined again", "{\"do\":\"heal\"}", 1);
  do_read("{\"mode\":\"secondaryPreferred\"}");
  driver_close();
  return 0;
}
