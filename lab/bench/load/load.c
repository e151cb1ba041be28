/* Load: N connections, one request at a time on each, no pipelining, for a fixed time.
   usage: load PORT CONNECTIONS SECONDS REQUESTS_FILE [RATE [fresh]]   (requests in the file are separated by NUL)
   Without a rate, or with 0, every connection sends its next request once it gets a response. With a rate, requests are
   due at even intervals regardless of the server and wait for a free connection; they are timed from when they are due.
   "fresh" opens a new connection for each request. Prints one line of JSON; times cover good responses only. */
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
#define BUCKETS 2000000
#define ROOM 65536
#define DRAIN_US 10e6

struct connection {
  int fd;
  int busy;
  int have;      /* bytes of an incomplete header */
  long left;     /* body bytes still to read; -1 while the header is incomplete */
  int status;
  double dueUs;
  char *buffer;
};

static unsigned counts[BUCKETS + 1];
static char **requests;
static int *lengths;
static int requestCount, nextRequest;
static long statuses[600], retryAfters, broken;
static struct sockaddr_in address;
static int poll, isFresh;

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

static void openConnection(struct connection *c) {
  int on = 1;
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  c->busy = 0;
  if (connect(c->fd, (void *)&address, sizeof address) != 0) exit(5);
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
}

static void reopen(struct connection *c) {
  close(c->fd);
  openConnection(c);
}

static void ask(struct connection *c, double dueUs) {
  int i = nextRequest++ % requestCount;
  c->have = 0;
  c->left = -1;
  c->busy = 1;
  c->dueUs = dueUs;
  if (send(c->fd, requests[i], lengths[i], MSG_NOSIGNAL) == lengths[i]) return;
  if (errno != EPIPE && errno != ECONNRESET) exit(3);
  reopen(c);
  c->busy = 1;
  if (send(c->fd, requests[i], lengths[i], MSG_NOSIGNAL) != lengths[i]) exit(3);
}

static void readHead(struct connection *c, char *end) {
  *end = 0;
  int status = atoi(c->buffer + 9);
  c->status = status > 0 && status < 600 ? status : 0;
  char *length = strcasestr(c->buffer, "\r\ncontent-length:");
  long body = length && status != 304 ? atol(length + 17) : 0;
  if ((status == 429 || status == 503) && strcasestr(c->buffer, "\r\nretry-after:")) retryAfters++;
  c->left = body - (c->have - (end + 4 - c->buffer));
}

/* 1 if the response is complete, -1 if the connection is closed */
static int take(struct connection *c) {
  static char scratch[ROOM];
  if (!c->busy || c->left >= 0) {
    ssize_t got = read(c->fd, scratch, sizeof scratch);
    if (got <= 0) return -1;
    c->left -= got;
    return c->busy && c->left <= 0;
  }
  ssize_t got = read(c->fd, c->buffer + c->have, ROOM - c->have - 1);
  if (got <= 0) return -1;
  c->have += got;
  c->buffer[c->have] = 0;
  char *end = strstr(c->buffer, "\r\n\r\n");
  if (!end) return 0;
  readHead(c, end);
  return c->left <= 0;
}

static void record(struct connection *c) {
  statuses[c->status]++;
  if (c->status != 304 && (c->status < 200 || c->status > 299)) return;
  long bucket = (long)((nowUs() - c->dueUs) / STEP_US);
  counts[bucket < BUCKETS ? bucket : BUCKETS]++;
}

static double quantile(long total, double q) {
  long want = (long)(total * q), seen = 0;
  for (int i = 0; i <= BUCKETS; i++)
    if ((seen += counts[i]) > want) return (i + 0.5) * STEP_US / 1000.0;
  return 0;
}

static void report(long done, double seconds, long unsent) {
  long good = 0;
  for (int i = 0; i <= BUCKETS; i++) good += counts[i];
  printf("{\"requests\":%ld,\"seconds\":%.6f,\"failed\":%ld,\"p50Ms\":%.3f,\"p99Ms\":%.3f,", done, seconds,
         done - statuses[200] - statuses[304] + broken, quantile(good, 0.5), quantile(good, 0.99));
  printf("\"good\":%ld,\"retryAfters\":%ld,\"broken\":%ld,\"unsent\":%ld,\"statuses\":{", good, retryAfters, broken,
         unsent);
  const char *comma = "";
  for (int i = 0; i < 600; i++)
    if (statuses[i]) printf("%s\"%d\":%ld", comma, i, statuses[i]), comma = ",";
  printf("}}\n");
}

int main(int argc, char **argv) {
  if (argc < 5) return 1;
  int connections = atoi(argv[2]);
  double rate = argc > 5 ? atof(argv[5]) : 0;
  isFresh = argc > 6 && strcmp(argv[6], "fresh") == 0;
  readRequests(argv[4]);
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct connection *all = calloc(connections, sizeof *all);
  /* A ring, so that every connection stays in use: the server may close one that has been idle for long. */
  struct connection **idle = malloc(sizeof *idle * connections);
  int firstIdle = 0, idleCount = 0;
  poll = epoll_create1(0);
  for (int i = 0; i < connections; i++) {
    all[i].buffer = malloc(ROOM);
    openConnection(&all[i]);
    idle[idleCount++] = &all[i];
  }
  /* Connects before the load starts: accept speed is not what this measures. */
  if (rate > 0) sleep(1);
  double startUs = nowUs(), endUs = startUs + atof(argv[3]) * 1e6, now = startUs;
  long done = 0, sent = 0;
  struct epoll_event events[256];
  while (now < endUs || (rate > 0 && idleCount < connections && now < endUs + DRAIN_US)) {
    while (idleCount > 0 && now < endUs) {
      double dueUs = rate > 0 ? startUs + sent * 1e6 / rate : now;
      if (dueUs > now) break;
      ask(idle[firstIdle], dueUs);
      firstIdle = (firstIdle + 1) % connections;
      idleCount--;
      sent++;
    }
    int ready = epoll_wait(poll, events, 256, rate > 0 && now < endUs ? 1 : 100);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      int end = take(c);
      if (end == 0) continue;
      int wasBusy = c->busy;
      if (end > 0) record(c), done++;
      else if (wasBusy) broken++;
      c->busy = 0;
      if (end < 0 || isFresh) reopen(c);
      if (!wasBusy) continue;
      if (rate == 0 && nowUs() < endUs) ask(c, nowUs());
      else idle[(firstIdle + idleCount++) % connections] = c;
    }
    now = nowUs();
  }
  double seconds = ((now < endUs || rate == 0 ? now : endUs) - startUs) / 1e6;
  report(done, seconds, rate > 0 ? (long)(seconds * rate) - sent : 0);
  return 0;
}
