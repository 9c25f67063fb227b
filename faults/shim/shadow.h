/* The shadow folder: files by inode, and under their names once the folder was synced (shadow.c). */
#include <limits.h>
#include <sys/types.h>

enum { LONGEST = PATH_MAX + 512 };

typedef struct { off_t from, to; } Range;

/* A file below the data folder, and what of it was written since it was synced. */
typedef struct File {
  ino_t inode;
  int shadow;
  Range *dirty;
  size_t count, room;
  struct File *next;
} File;

/* The data folder and the shadow folder; empty where the process is not concerned. */
extern char data[PATH_MAX], shadow[PATH_MAX];

/* Ends the process with what it could not do. */
void stop(const char *what, const char *path);
File *file_of(ino_t inode);
/* A number of an inode that is used again is another file; names of the former one keep its bytes. */
void begin(ino_t inode);
/* Notes bytes as written. */
void soil(File *file, off_t from, off_t to);
/* Carries bytes over as they are now. The descriptor is the caller's own: closing another would drop its locks. */
void carry(File *file, int fd, off_t from, off_t to);
/* A descriptor that reads; of a file that is written only, another one is made: no database is opened so. */
int reader_of(int fd);
void sync_file(File *file, int fd);
/* Gives a folder of the shadow the names that the folder has now. */
void sync_names(const char *folder);
/* What is there at the start was synced before. */
void take_over(const char *folder);
