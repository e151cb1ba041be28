/* Load: N keep-alive connections, one request at a time on each, no pipelining, for a fixed time.
   usage: load PORT CONNECTIONS SECONDS REQUESTS_FILE   (requests in the file are separated by NUL)
   prints one line of JSON. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STEP_US 5
#define BUCKETS 400000
#define ROOM 65536

struct connection {
  int fd;
  int have;      /* bytes of the head, while it is incomplete */
  long left;     /* bytes of the body still to come; -1 while the head is incomplete */
  double sentUs;
  char *buffer;
};

static unsigned counts[BUCKETS + 1];
static char **requests;
static int *lengths;
static int requestCount, nextRequest;

static double nowUs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void readRequests(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (fread(text, 1, size, file) != (size_t)size) exit(2);
  text[size] = 0;
  requests = malloc(sizeof(char *) * (size + 1));
  lengths = malloc(sizeof(int) * (size + 1));
  for (char *at = text; at < text + size; at += strlen(at) + 1) {
    requests[requestCount] = at;
    lengths[requestCount++] = strlen(at);
  }
}

static void ask(struct connection *c) {
  int i = nextRequest++ % requestCount;
  c->have = 0;
  c->left = -1;
  c->sentUs = nowUs();
  if (write(c->fd, requests[i], lengths[i]) != lengths[i]) exit(3);
}

static int statuses[600];

/* 1 when the answer is complete */
static int take(struct connection *c) {
  char scratch[ROOM];
  if (c->left >= 0) {
    ssize_t got = read(c->fd, scratch, sizeof scratch);
    if (got <= 0) exit(4);
    c->left -= got;
    return c->left <= 0;
  }
  ssize_t got = read(c->fd, c->buffer + c->have, ROOM - c->have - 1);
  if (got <= 0) exit(4);
  c->have += got;
  c->buffer[c->have] = 0;
  char *end = strstr(c->buffer, "\r\n\r\n");
  if (!end) return 0;
  int status = atoi(c->buffer + 9);
  statuses[status > 0 && status < 600 ? status : 0]++;
  char *length = strcasestr(c->buffer, "\r\ncontent-length:");
  long body = length && length < end ? atol(length + 17) : 0;
  if (status == 304) body = 0;
  c->left = body - (c->have - (end + 4 - c->buffer));
  return c->left <= 0;
}

static double quantile(long total, double q) {
  long want = (long)(total * q), seen = 0;
  for (int i = 0; i <= BUCKETS; i++)
    if ((seen += counts[i]) > want) return (i + 0.5) * STEP_US / 1000.0;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 5) return 1;
  int connections = atoi(argv[2]);
  readRequests(argv[4]);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct connection *all = calloc(connections, sizeof *all);
  int poll = epoll_create1(0), on = 1;
  for (int i = 0; i < connections; i++) {
    all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
    all[i].buffer = malloc(ROOM);
    if (connect(all[i].fd, (void *)&address, sizeof address) != 0) return 5;
    setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event);
  }
  double startUs = nowUs(), endUs = startUs + atof(argv[3]) * 1e6, now = startUs;
  long done = 0;
  for (int i = 0; i < connections; i++) ask(&all[i]);
  struct epoll_event events[256];
  while (now < endUs) {
    int ready = epoll_wait(poll, events, 256, 100);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (!take(c)) continue;
      long bucket = (long)((nowUs() - c->sentUs) / STEP_US);
      counts[bucket < BUCKETS ? bucket : BUCKETS]++;
      done++;
      ask(c);
    }
    now = nowUs();
  }
  long good = statuses[200] + statuses[304];
  printf("{\"requests\":%ld,\"seconds\":%.6f,\"failed\":%ld,\"p50Ms\":%.3f,\"p99Ms\":%.3f}\n", done,
         (now - startUs) / 1e6, done - good, quantile(done, 0.5), quantile(done, 0.99));
  return 0;
}
