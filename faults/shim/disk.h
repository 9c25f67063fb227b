/* Interface between the calls of a process (calls.c) and the disk model (model.c). */
#include <sys/types.h>

int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
ssize_t real_pwrite(int fd, const void *bytes, size_t size, off_t at);
int real_ftruncate(int fd, off_t size);
int real_rename(const char *from, const char *to);
int real_unlink(const char *path);

/* Returns 1 if a descriptor belongs to a file or folder of the data folder. */
int disk_tracks(int fd);
/* Returns 1 if an open with these flags will create a file in the data folder. */
int disk_makes(const char *path, int flags);
/* Called before a write or sync. */
void disk_calls(int fd);
void disk_opened(int fd, const char *path, int flags, int made);
void disk_closed(int fd);
void disk_wrote(int fd, ssize_t size, off_t at);
void disk_truncated(int fd, off_t size);
void disk_renamed(const char *path);
/* Returns 0, or -1 with EIO if the sync must fail. */
int disk_sync(int fd);
