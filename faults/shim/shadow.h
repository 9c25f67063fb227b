/* The shadow folder: files by inode, and under their names as soon as the folder was synced (shadow.c). */
#include <limits.h>
#include <sys/types.h>

enum { LONGEST = PATH_MAX + 512 };

typedef struct { off_t from, to; } Range;

/* A file below the data folder, and its ranges that were written since the last sync. */
typedef struct File {
  ino_t inode;
  int shadow;
  Range *dirty;
  size_t count, room;
  struct File *next;
} File;

/* The data folder and the shadow folder. Empty in a process without a data folder. */
extern char data[PATH_MAX], shadow[PATH_MAX];

/* Ends the process with an error message. */
void stop(const char *what, const char *path);
File *file_of(ino_t inode);
/* Starts another file under a reused inode number. Names of the previous file keep its bytes. */
void begin(ino_t inode);
/* Marks bytes as written. */
void soil(File *file, off_t from, off_t to);
/* Copies the current bytes. The descriptor must be the caller's: closing another one would drop its locks. */
void carry(File *file, int fd, off_t from, off_t to);
/*
 * Returns a readable descriptor. Opens another one for a write-only file. No database is opened write-only.
 */
int reader_of(int fd);
void sync_file(File *file, int fd);
/* Gives a folder of the shadow the current names of the folder. */
void sync_names(const char *folder);
/* Treats everything that exists at the start as synced. */
void take_over(const char *folder);
