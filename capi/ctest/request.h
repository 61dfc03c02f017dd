/*
 * The topology of the C tests and what must come of it, worked out by hand from docs/json.md: a is the primary; the
 * secondaries b and c are 5 ms and 150 ms away, so with the default of 15 ms the latency window ends at 20 ms and holds
 * b alone.
 */
#ifndef REQUEST_H
#define REQUEST_H

#define SERVER_A "{\"address\":\"a.example:27017\",\"type\":\"RSPrimary\",\"roundTripTimeMS\":2.4,\"tags\":{\"dc\":\"ny\"}}"
#define SERVER_B "{\"address\":\"b.example:27017\",\"type\":\"RSSecondary\",\"roundTripTimeMS\":5,\"tags\":{\"dc\":\"ny\"}}"
#define SERVER_C "{\"address\":\"c.example:27017\",\"type\":\"RSSecondary\",\"roundTripTimeMS\":150,\"tags\":{\"dc\":\"sf\"}}"
#define TOPOLOGY \
  "\"topology\":{\"type\":\"ReplicaSetWithPrimary\",\"setName\":\"rs0\",\"servers\":[" SERVER_A "," SERVER_B "," SERVER_C "]}"

#define SECONDARY "{" TOPOLOGY ",\"readPreference\":{\"mode\":\"secondary\"}}"
#define SECONDARY_ANSWER                                                            \
  "{\"server\":{\"index\":1,\"address\":\"b.example:27017\",\"type\":\"RSSecondary\"}," \
  "\"candidates\":[\"b.example:27017\",\"c.example:27017\"],"                       \
  "\"fresh\":[\"b.example:27017\",\"c.example:27017\"],"                            \
  "\"suitable\":[\"b.example:27017\",\"c.example:27017\"],"                         \
  "\"inLatencyWindow\":[\"b.example:27017\"]}"

/* No readPreference: primary. */
#define PRIMARY "{" TOPOLOGY "}"
#define PRIMARY_ANSWER                                                            \
  "{\"server\":{\"index\":0,\"address\":\"a.example:27017\",\"type\":\"RSPrimary\"}," \
  "\"candidates\":[\"a.example:27017\"],\"fresh\":[\"a.example:27017\"],"         \
  "\"suitable\":[\"a.example:27017\"],\"inLatencyWindow\":[\"a.example:27017\"]}"

/* The tag set leaves c alone, whatever its round-trip time. */
#define NEAREST_SF "{" TOPOLOGY ",\"readPreference\":{\"mode\":\"nearest\",\"tags\":[{\"dc\":\"sf\"},{}]}}"
#define NEAREST_SF_ANSWER                                                                           \
  "{\"server\":{\"index\":2,\"address\":\"c.example:27017\",\"type\":\"RSSecondary\"},"                 \
  "\"candidates\":[\"a.example:27017\",\"b.example:27017\",\"c.example:27017\"],"                   \
  "\"fresh\":[\"a.example:27017\",\"b.example:27017\",\"c.example:27017\"],"                        \
  "\"suitable\":[\"c.example:27017\"],\"inLatencyWindow\":[\"c.example:27017\"]}"

/* No server has this tag: an answer without a server, whose reason's wording is not part of the contract. */
#define NOBODY "{" TOPOLOGY ",\"readPreference\":{\"mode\":\"secondary\",\"tags\":[{\"dc\":\"la\"}]}}"
#define NOBODY_ANSWER_START                                            \
  "{\"server\":null,\"candidates\":[\"b.example:27017\",\"c.example:27017\"]," \
  "\"fresh\":[\"b.example:27017\",\"c.example:27017\"],\"suitable\":[],\"inLatencyWindow\":[],\"reason\":{\"code\":\"noTagSetMatches\","

#endif
