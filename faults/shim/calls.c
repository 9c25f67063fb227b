/* The calls of libc that change files. Each is reported to the model. */
#define _GNU_SOURCE
#include "disk.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

int real_open(const char *path, int flags, mode_t mode) {
  REAL(int, "open64", const char *, int, ...);
  return real(path, flags, mode);
}

int real_close(int fd) {
  REAL(int, "close", int);
  return real(fd);
}

ssize_t real_pwrite(int fd, const void *bytes, size_t size, off_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
  return real(fd, bytes, size, at);
}

int real_ftruncate(int fd, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  return real(fd, size);
}

int real_rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return real(from, to);
}

int real_unlink(const char *path) {
  REAL(int, "unlink", const char *);
  return real(path);
}

static int open_told(const char *path, int flags, mode_t mode) {
  int made = disk_makes(path, flags);
  int fd = real_open(path, flags, mode);
  disk_opened(fd, path, flags, made);
  return fd;
}

#define MODE_OF(flags, mode) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

/* Replacements of libc functions. All other symbols are hidden from the process. */
#pragma GCC visibility push(default)

int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_told(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_told(path, flags, mode);
}

int close(int fd) {
  disk_closed(fd);
  return real_close(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) {
  disk_calls(fd);
  ssize_t written = real_pwrite(fd, bytes, size, at);
  disk_wrote(fd, written, at);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

/* Reports a write at the current position of the descriptor. */
static ssize_t wrote_here(int fd, ssize_t written) {
  if (written > 0 && disk_tracks(fd)) disk_wrote(fd, written, lseek(fd, 0, SEEK_CUR) - written);
  return written;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  disk_calls(fd);
  return wrote_here(fd, real(fd, bytes, size));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  disk_calls(fd);
  return wrote_here(fd, real(fd, parts, count));
}

int ftruncate64(int fd, off_t size) {
  disk_calls(fd);
  int result = real_ftruncate(fd, size);
  if (result == 0) disk_truncated(fd, size);
  return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Files elsewhere are not synced: the cases do not need that. */
int fsync(int fd) {
  disk_calls(fd);
  return disk_tracks(fd) ? disk_sync(fd) : 0;
}

int fdatasync(int fd) { return fsync(fd); }

int rename(const char *from, const char *to) {
  int result = real_rename(from, to);
  if (result == 0) disk_renamed(to);
  return result;
}

int unlink(const char *path) {
  int result = real_unlink(path);
  if (result == 0) disk_renamed(path);
  return result;
}

#pragma GCC visibility pop
