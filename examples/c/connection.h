/* A connection to a MongoDB server: a TCP socket, and commands over it as OP_MSG, with libbson. POSIX. */
#ifndef EXAMPLES_CONNECTION_H
#define EXAMPLES_CONNECTION_H

#include <bson/bson.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMEOUT_SECONDS = 5, OP_MSG = 2013, HEADER = 16, MAX_MESSAGE = 48000000 };

/* connect_to: a socket connected to "host:port" or "[ipv6]:port", or -1 with errno. */
static int connect_to(const char *address) {
  struct addrinfo hints = {0}, *list, *a;
  struct timeval timeout = {TIMEOUT_SECONDS, 0};
  char host[256];
  const char *port = strrchr(address, ':'), *start = address + (address[0] == '[');
  size_t len = (size_t)(port - start) - (address[0] == '[');
  int s = -1, one = 1;
  if (len >= sizeof host) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(host, start, len);
  host[len] = '\0';
  hints.ai_socktype = SOCK_STREAM;
  errno = EHOSTUNREACH;
  if (getaddrinfo(host, port + 1, &hints, &list) != 0) return -1;
  for (a = list; a != NULL && s < 0; a = a->ai_next) {
    s = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    if (s < 0) continue;
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout); /* on Linux SO_SNDTIMEO also limits connect */
    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    if (connect(s, a->ai_addr, a->ai_addrlen) != 0) {
      int error = errno;
      close(s);
      errno = error;
      s = -1;
    }
  }
  freeaddrinfo(list);
  return s;
}

static int send_all(int s, const uint8_t *data, size_t len) {
  while (len > 0) {
    ssize_t n = send(s, data, len, MSG_NOSIGNAL);
    if (n < 0) return -1;
    data += n;
    len -= (size_t)n;
  }
  return 0;
}

static int receive_all(int s, uint8_t *data, size_t len) {
  while (len > 0) {
    ssize_t n = recv(s, data, len, 0);
    if (n == 0) errno = ECONNRESET;
    if (n <= 0) return -1;
    data += n;
    len -= (size_t)n;
  }
  return 0;
}

static void put_int32(uint8_t *at, uint32_t v) {
  v = BSON_UINT32_TO_LE(v);
  memcpy(at, &v, 4);
}

static uint32_t get_int32(const uint8_t *at) {
  uint32_t v;
  memcpy(&v, at, 4);
  return BSON_UINT32_FROM_LE(v);
}

/* run_command: the server's reply, which the caller destroys, or NULL with errno; then the connection is of no more use. */
static bson_t *run_command(int s, const bson_t *command) {
  uint8_t head[HEADER + 5] = {0}, *body = NULL;
  bson_t *reply = NULL;
  uint32_t len;
  put_int32(head, (uint32_t)sizeof head + command->len); /* the whole message; the request's id may be 0 */
  put_int32(head + 12, OP_MSG);                          /* behind it: no flags, one section of kind 0 */
  if (send_all(s, head, sizeof head) != 0 || send_all(s, bson_get_data(command), command->len) != 0) return NULL;
  if (receive_all(s, head, sizeof head) != 0) return NULL;
  len = get_int32(head);
  if (get_int32(head + 12) == OP_MSG && len > sizeof head && len <= MAX_MESSAGE && head[HEADER + 4] == 0) {
    body = malloc(len - sizeof head);
    if (body != NULL && receive_all(s, body, len - sizeof head) == 0) {
      reply = bson_new_from_data(body, len - sizeof head);
      if (reply == NULL) errno = EPROTO;
    }
    free(body);
  } else {
    errno = EPROTO;
  }
  return reply;
}

#endif
