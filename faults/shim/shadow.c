/* Copies bytes and names into the shadow folder. */
#define _GNU_SOURCE
#include "shadow.h"
#include "disk.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

char data[PATH_MAX], shadow[PATH_MAX];
static File *files;

void stop(const char *what, const char *path) {
  fprintf(stderr, "shim: %s %s: %s\n", what, path, strerror(errno));
  abort();
}

static void object_path(ino_t inode, char *path) {
  snprintf(path, LONGEST, "%s.objects/%llu", shadow, (unsigned long long)inode);
}

File *file_of(ino_t inode) {
  for (File *file = files; file; file = file->next)
    if (file->inode == inode) return file;
  File *file = calloc(1, sizeof *file);
  char path[LONGEST];
  object_path(inode, path);
  file->inode = inode;
  file->shadow = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file->shadow < 0) stop("open", path);
  file->next = files;
  return files = file;
}

void begin(ino_t inode) {
  File *file = file_of(inode);
  char path[LONGEST];
  object_path(inode, path);
  real_unlink(path);
  real_close(file->shadow);
  file->shadow = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file->shadow < 0) stop("open", path);
  file->count = 0;
}

void soil(File *file, off_t from, off_t to) {
  Range *last = file->count ? &file->dirty[file->count - 1] : NULL;
  if (last && from <= last->to && to >= last->from) {
    if (from < last->from) last->from = from;
    if (to > last->to) last->to = to;
    return;
  }
  if (file->count == file->room) {
    file->room = file->room ? 2 * file->room : 64;
    file->dirty = realloc(file->dirty, file->room * sizeof *file->dirty);
  }
  file->dirty[file->count++] = (Range){from, to};
}

void carry(File *file, int fd, off_t from, off_t to) {
  static char buffer[CHUNK];
  while (from < to) {
    size_t wanted = to - from < CHUNK ? (size_t)(to - from) : CHUNK;
    ssize_t got = pread(fd, buffer, wanted, from);
    if (got < 0) stop("read", "data");
    if (got == 0) return;
    if (real_pwrite(file->shadow, buffer, got, from) != got) stop("write", shadow);
    from += got;
  }
}

int reader_of(int fd) {
  char path[64];
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY) return fd;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return real_open(path, O_RDONLY | O_CLOEXEC, 0);
}

void sync_file(File *file, int fd) {
  struct stat now, kept;
  int reader = reader_of(fd);
  if (fstat(fd, &now) || fstat(file->shadow, &kept)) stop("stat", "a file");
  for (size_t i = 0; i < file->count; i++) carry(file, reader, file->dirty[i].from, file->dirty[i].to);
  /* Writes that bypass the replaced calls extend the file. */
  if (now.st_size > kept.st_size) carry(file, reader, kept.st_size, now.st_size);
  if (real_ftruncate(file->shadow, now.st_size)) stop("truncate", shadow);
  file->count = 0;
  if (reader != fd) real_close(reader);
}

void sync_names(const char *folder) {
  char kept[2 * PATH_MAX], path[LONGEST], other[2 * LONGEST], object[LONGEST];
  struct stat one, two;
  struct dirent *entry;
  snprintf(kept, sizeof kept, "%s%s", shadow, folder + strlen(data));
  mkdir(kept, 0700);
  DIR *listing = opendir(folder);
  if (!listing) return;
  while ((entry = readdir(listing))) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    snprintf(other, sizeof other, "%s/%s", kept, entry->d_name);
    if (entry->d_name[0] == '.' || lstat(path, &one)) continue;
    if (S_ISDIR(one.st_mode)) mkdir(other, 0700);
    if (!S_ISREG(one.st_mode)) continue;
    object_path(one.st_ino, object);
    file_of(one.st_ino);
    if (stat(object, &one)) stop("stat", object);
    if (stat(other, &two) == 0 && two.st_ino == one.st_ino) continue;
    snprintf(path, sizeof path, "%s.objects/link", shadow);
    real_unlink(path);
    if (link(object, path) || real_rename(path, other)) stop("link", other);
  }
  closedir(listing);
  listing = opendir(kept);
  while (listing && (entry = readdir(listing))) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    snprintf(other, sizeof other, "%s/%s", kept, entry->d_name);
    if (entry->d_name[0] != '.' && lstat(path, &one)) real_unlink(other);
  }
  if (listing) closedir(listing);
}

void take_over(const char *folder) {
  char path[LONGEST];
  struct stat found;
  struct dirent *entry;
  DIR *listing = opendir(folder);
  if (!listing) return;
  while ((entry = readdir(listing))) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || lstat(path, &found)) continue;
    if (S_ISDIR(found.st_mode)) take_over(path);
    if (!S_ISREG(found.st_mode)) continue;
    int fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) stop("open", path);
    sync_file(file_of(found.st_ino), fd);
    real_close(fd);
  }
  closedir(listing);
  sync_names(folder);
}
