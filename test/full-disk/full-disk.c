// Preloaded library that simulates a disk that becomes full at the nth write: every call that could take up space in
// the folder FULL_DISK_FOLDER fails with ENOSPC once the allowance is used up. The file FULL_DISK_CONTROL holds two
// 64-bit numbers that other processes may read and write at any time: how many writes are still allowed (negative:
// no limit), and how many were attempted so far.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  long long allowed;
  long long asked;
};

static struct control *control;
static const char *folder;

__attribute__((constructor)) static void prepare(void) {
  folder = getenv("FULL_DISK_FOLDER");
  const char *path = getenv("FULL_DISK_CONTROL");
  int file = path ? open(path, O_RDWR) : -1;
  if (!folder || file < 0) return;
  void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) control = page;
}

static int is_within(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int is_on_disk(int file) {
  if (!control) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_within(path);
}

// Several threads write at once, so each takes one write from the allowance atomically.
static int is_refused(void) {
  __atomic_add_fetch(&control->asked, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    long long allowed = __atomic_load_n(&control->allowed, __ATOMIC_SEQ_CST);
    if (allowed < 0) return 0;
    if (allowed == 0) {
      errno = ENOSPC;
      return 1;
    }
    if (__atomic_compare_exchange_n(&control->allowed, &allowed, allowed - 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return 0;
  }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE_OR(name, result, parameters, arguments)                                                                 \
  result name parameters {                                                                                             \
    if (is_on_disk(file) && is_refused()) return -1;                                                                   \
    return REAL(name) arguments;                                                                                       \
  }

REFUSE_OR(write, ssize_t, (int file, const void *bytes, size_t count), (file, bytes, count))
REFUSE_OR(pwrite, ssize_t, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
REFUSE_OR(pwrite64, ssize_t, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
REFUSE_OR(writev, ssize_t, (int file, const struct iovec *parts, int count), (file, parts, count))
REFUSE_OR(pwritev, ssize_t, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
REFUSE_OR(pwritev64, ssize_t, (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at))
REFUSE_OR(fallocate, int, (int file, int mode, off_t at, off_t count), (file, mode, at, count))
REFUSE_OR(fallocate64, int, (int file, int mode, off64_t at, off64_t count), (file, mode, at, count))

// A new file takes up space for its directory entry.
static int is_refused_file(const char *path, int flags) {
  struct stat found;
  return control && (flags & O_CREAT) && is_within(path) && stat(path, &found) != 0 && is_refused();
}

#define REFUSE_NEW(name)                                                                                               \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                                \
    va_end(rest);                                                                                                      \
    return is_refused_file(path, flags) ? -1 : REAL(name)(path, flags, mode);                                          \
  }

REFUSE_NEW(open)
REFUSE_NEW(open64)
