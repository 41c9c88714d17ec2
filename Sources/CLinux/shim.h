#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

// Wrappers for variadic functions, which Swift does not import.

/// Closes a range of file descriptors; before Linux 5.9 one by one, up to 1023.
static inline void linux_close_range(unsigned int first, unsigned int last) {
    if (syscall(436, first, last, 0) == 0) return;
    for (unsigned int file = first; file <= last && file < 1024; file++) close((int)file);
}

/// A pipe whose ends are closed in started programs.
static inline int linux_pipe(int ends[2]) {
    return (int)syscall(__NR_pipe2, ends, O_CLOEXEC);
}

/// The magic number of the file system of a file (linux/magic.h); 0 on failure.
static inline uint32_t linux_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}

// Swift marks fork as unavailable, since it is unsafe in multithreaded programs.
static inline pid_t linux_fork(void) {
    return fork();
}

/// Makes the kernel kill this process when its parent ends; fails if the parent has already ended.
static inline int linux_end_with(pid_t parent) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return getppid() == parent ? 0 : -1;
}

/// Executes a program with no signal blocked and the default action for SIGPIPE, which execve would
/// keep otherwise. Returns errno on failure.
static inline int linux_execute(
    const char *path, char *const arguments[], char *const variables[]) {
    extern char **environ;
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, variables ? variables : environ);
    return errno;
}

/// Starts a program in a new session. The child calls only async-signal-safe functions, so this
/// process may have threads.
///
/// `streams` become its standard streams; -1 keeps that of this process. If the program cannot be
/// executed, errno is written to `failure`, which must be closed on exec.
///
/// Returns the process ID, or -errno.
static inline pid_t linux_start(
    const char *path, char *const arguments[], char *const variables[], const int streams[3],
    int failure, int ends_with_parent) {
    const pid_t parent = getpid();
    // No handler of this process may run in the child, where its threads are missing.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t child = fork();
    const int fork_error = errno;
    if (child != 0) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return child > 0 ? child : -fork_error;
    }
    struct sigaction action;
    for (int number = 1; number < NSIG; number++) {
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(number, SIG_DFL);
    }
    // Descriptors below 3 would be replaced, and dup2 to the same number would not keep them open.
    int code = 0;
    int sources[3];
    if (failure < 3) {
        const int moved = fcntl(failure, F_DUPFD_CLOEXEC, 3);
        if (moved < 0) code = errno;
        else failure = moved;
    }
    for (int i = 0; i < 3 && code == 0; i++)
        sources[i] = streams[i] < 0 ? -1 : fcntl(streams[i], F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3 && code == 0; i++)
        if (streams[i] >= 0 && dup2(sources[i], i) < 0) code = errno;
    setsid();
    if (ends_with_parent && linux_end_with(parent) != 0) _exit(127);
    if (code == 0) code = linux_execute(path, arguments, variables);
    (void)write(failure, &code, sizeof code);
    _exit(127);
}

/// A pidfd, which is readable once the process has ended (Linux 5.3).
static inline int linux_open_process(pid_t process) {
    return (int)syscall(434, process, 0);
}

/// Whether a child has ended. It stays a zombie, so that its process ID is not reused. -1 if it is
/// no longer a child: it was waited for, or SIGCHLD is ignored.
static inline int linux_has_ended(pid_t child) {
    siginfo_t info;
    info.si_pid = 0;
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == EINTR ? 0 : -1;
    return info.si_pid == child;
}

/// Renames a file, relative to a folder; fails with EEXIST instead of replacing another file.
static inline int linux_rename_exclusively(int folder, const char *old, const char *new_name) {
    return (int)syscall(__NR_renameat2, folder, old, folder, new_name, 1);
}

/// Creates a file without a name in a folder, which vanishes unless it is named.
static inline int linux_open_unnamed(int folder, unsigned int mode) {
    // The value that Linux has on x86-64 and ARM64.
    const int unnamed = 020000000 | O_DIRECTORY;
    return openat(folder, ".", O_WRONLY | O_CLOEXEC | unnamed, mode);
}

/// Writes everything of the file system of this descriptor to the disk.
static inline int linux_sync_file_system(int file) {
    return (int)syscall(__NR_syncfs, file);
}

/// Forbids core dumps of this process, and that other processes of the user read its memory.
static inline void linux_forbid_dumps(void) {
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// The path with which this program was started.
static inline const char *linux_started_path(void) {
    return (const char *)getauxval(AT_EXECFN);
}
