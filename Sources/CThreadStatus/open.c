#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Dispatch reads the state of each of its threads from /proc/THREAD/stat once per second, and crashes
// if it cannot. A confined program may read only /proc/self, because a rule for /proc would allow the
// entries of all processes. The same file is available as /proc/self/task/THREAD/stat. Without /proc,
// Dispatch gets an empty file, and takes the thread for a sleeping one.
//
// The linker prefers this function to that of the C library.

/// The path below /proc/self for a path /proc/THREAD/stat; NULL for other paths.
static const char *own_thread_status(const char *path, char *own, size_t size) {
    const char proc[] = "/proc/";
    if (strncmp(path, proc, strlen(proc)) != 0) return NULL;
    const char *thread = path + strlen(proc);
    size_t digits = strspn(thread, "0123456789");
    if (digits == 0 || strcmp(thread + digits, "/stat") != 0) return NULL;
    int length = snprintf(own, size, "/proc/self/task/%s", thread);
    return length > 0 && (size_t)length < size ? own : NULL;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0 || (flags & __O_TMPFILE) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    char own[64];
    const char *status = own_thread_status(path, own, sizeof own);
    if (status != NULL) {
        int file = openat(AT_FDCWD, status, flags, mode);
        if (file >= 0 || errno != ENOENT) return file;
        if (access("/proc/self", F_OK) != 0) path = "/dev/null";
    }
    return openat(AT_FDCWD, path, flags, mode);
}
