/*
 * A disk that loses unsynced data, preloaded into a server. Next to the data folder is a shadow folder with
 * only the synced data. The bytes of a file reach it when the file is synced, its name when its folder is. A
 * power cut is then a kill and a start on the shadow.
 *
 * DISK_DATA: the data folder, an absolute path without links.
 * DISK_SHADOW: the shadow folder. DISK_SHADOW.objects contains its files by inode.
 * DISK_SEED: seed of the random choices.
 * DISK_WRITEBACK: percent of writes and name changes that reach the shadow unsynced, writes in torn sectors.
 * DISK_KILL: the process is killed right before this write or sync, counted from 1.
 * DISK_FAIL: a file with a number. This many of the next syncs fail with EIO, and their data is dropped, as
 * Linux marks such pages clean.
 */
#define _GNU_SOURCE
#include "disk.h"
#include "shadow.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, MOST_FDS = 65536 };

static char fail_path[PATH_MAX];
static unsigned writeback;
static uint64_t state;
static unsigned long calls, killed_at;
static dev_t device;

/*
 * File of each open descriptor. Node closes some descriptors without libc, so the file is checked before each
 * use.
 */
static struct { ino_t inode; File *file; char *folder; } by_fd[MOST_FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* xorshift64* */
static uint64_t draw(uint64_t below) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return (state * 2685821657736338717ULL >> 16) % below;
}

static int by_chance(void) { return writeback > 0 && draw(100) < writeback; }

static int is_below(const char *path) {
  size_t length = strlen(data);
  return strncmp(path, data, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

__attribute__((constructor)) static void set_up(void) {
  const char *where = getenv("DISK_DATA"), *to = getenv("DISK_SHADOW"), *fails = getenv("DISK_FAIL");
  const char *seed = getenv("DISK_SEED"), *percent = getenv("DISK_WRITEBACK"), *last = getenv("DISK_KILL");
  char objects[LONGEST];
  struct stat found;
  if (!where || !to || stat(where, &found)) return;
  device = found.st_dev;
  unsetenv("LD_PRELOAD");
  snprintf(data, sizeof data, "%s", where);
  snprintf(shadow, sizeof shadow, "%s", to);
  if (fails) snprintf(fail_path, sizeof fail_path, "%s", fails);
  state = 0x9E3779B97F4A7C15ULL ^ (seed ? strtoull(seed, NULL, 10) : 1);
  killed_at = last ? strtoul(last, NULL, 10) : 0;
  writeback = percent ? (unsigned)atoi(percent) : 0;
  snprintf(objects, sizeof objects, "%s.objects", shadow);
  mkdir(shadow, 0700);
  mkdir(objects, 0700);
  take_over(data);
}

static int is_known(int fd) {
  struct stat now;
  if (!data[0] || fd < 0 || fd >= MOST_FDS || !by_fd[fd].inode) return 0;
  return fstat(fd, &now) == 0 && now.st_ino == by_fd[fd].inode && now.st_dev == device;
}

static File *tracked(int fd) { return is_known(fd) ? by_fd[fd].file : NULL; }

/* Writes the number of calls, for a case that kills the next process in between. */
__attribute__((destructor)) static void tell(void) {
  char path[LONGEST], text[32];
  if (!data[0]) return;
  snprintf(path, sizeof path, "%s.calls", shadow);
  int fd = real_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int length = snprintf(text, sizeof text, "%lu\n", calls);
  if (fd >= 0 && real_pwrite(fd, text, length, 0) == length) real_close(fd);
}

void disk_calls(int fd) {
  if (is_known(fd) && ++calls == killed_at) kill(getpid(), SIGKILL);
}

int disk_tracks(int fd) {
  int kept = errno, known = is_known(fd);
  errno = kept;
  return known;
}

int disk_makes(const char *path, int flags) {
  struct stat found;
  int kept = errno;
  int makes = data[0] && (flags & O_CREAT) && is_below(path) && lstat(path, &found) != 0;
  errno = kept;
  return makes;
}

static void forget(int fd) {
  free(by_fd[fd].folder);
  memset(&by_fd[fd], 0, sizeof by_fd[fd]);
}

void disk_opened(int fd, const char *path, int flags, int made) {
  struct stat found;
  if (!data[0] || fd < 0 || fd >= MOST_FDS || !is_below(path) || fstat(fd, &found)) return;
  pthread_mutex_lock(&lock);
  forget(fd);
  by_fd[fd].inode = found.st_ino;
  if (S_ISDIR(found.st_mode)) by_fd[fd].folder = strdup(path);
  if (S_ISREG(found.st_mode)) {
    if (made) begin(found.st_ino);
    by_fd[fd].file = file_of(found.st_ino);
    if (flags & O_TRUNC) by_fd[fd].file->count = 0;
  }
  pthread_mutex_unlock(&lock);
}

void disk_closed(int fd) {
  if (!data[0] || fd < 0 || fd >= MOST_FDS || !by_fd[fd].inode) return;
  pthread_mutex_lock(&lock);
  forget(fd);
  pthread_mutex_unlock(&lock);
}

/* Some sectors of a random write reach the disk at once. */
void disk_wrote(int fd, ssize_t size, off_t at) {
  File *file = tracked(fd);
  if (!file || size <= 0) return;
  int kept = errno;
  pthread_mutex_lock(&lock);
  soil(file, at, at + size);
  if (by_chance()) {
    off_t sectors = (size + SECTOR - 1) / SECTOR, first = draw(sectors), last = first + 1 + draw(sectors - first);
    off_t end = at + last * SECTOR;
    int reader = reader_of(fd);
    carry(file, reader, at + first * SECTOR, end < at + size ? end : at + size);
    if (reader != fd) real_close(reader);
  }
  pthread_mutex_unlock(&lock);
  errno = kept;
}

void disk_truncated(int fd, off_t size) {
  File *file = tracked(fd);
  if (!file) return;
  pthread_mutex_lock(&lock);
  if (by_chance() && real_ftruncate(file->shadow, size)) stop("truncate", shadow);
  pthread_mutex_unlock(&lock);
}

/* Some random name changes reach the disk at once. */
void disk_renamed(const char *path) {
  char folder[PATH_MAX];
  if (!data[0] || !is_below(path)) return;
  snprintf(folder, sizeof folder, "%s", path);
  char *end = strrchr(folder, '/');
  if (!end) return;
  *end = '\0';
  pthread_mutex_lock(&lock);
  if (by_chance()) sync_names(folder);
  pthread_mutex_unlock(&lock);
}

/* Returns 1 if the next sync must fail, and counts it. */
static int fails(void) {
  char text[32] = "";
  if (!fail_path[0]) return 0;
  int fd = real_open(fail_path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  ssize_t size = pread(fd, text, sizeof text - 1, 0);
  long left = size > 0 ? strtol(text, NULL, 10) : 0;
  if (left > 0) {
    int length = snprintf(text, sizeof text, "%ld\n", left - 1);
    if (real_ftruncate(fd, 0) || real_pwrite(fd, text, length, 0) != length) stop("write", fail_path);
  }
  real_close(fd);
  return left > 0;
}

int disk_sync(int fd) {
  pthread_mutex_lock(&lock);
  int failed = fails();
  if (failed && by_fd[fd].file) by_fd[fd].file->count = 0;
  if (!failed && by_fd[fd].file) sync_file(by_fd[fd].file, fd);
  if (!failed && by_fd[fd].folder) sync_names(by_fd[fd].folder);
  pthread_mutex_unlock(&lock);
  if (failed) errno = EIO;
  return failed ? -1 : 0;
}
