#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

// Wrappers for variadic functions, which Swift does not import. The numbers and structures of
// Landlock are from include/uapi/linux/landlock.h of Linux 6.15, since older headers lack some.

struct landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

static inline int linux_forbid_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Drops all capabilities except those of the first 32 that are in the set.
static inline int linux_keep_capabilities(uint32_t set) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(__NR_capget, &header, data) != 0) return -1;
    const struct __user_cap_data_struct none = {0, 0, 0};
    data[0].effective &= set;
    data[0].permitted &= set;
    data[0].inheritable = 0;
    data[1] = none;
    return (int)syscall(__NR_capset, &header, data);
}

/// Closes a range of file descriptors; before Linux 5.9 one by one, up to 1023.
static inline void linux_close_range(unsigned int first, unsigned int last) {
    if (syscall(436, first, last, 0) == 0) return;
    for (unsigned int file = first; file <= last && file < 1024; file++) close((int)file);
}

static inline int linux_landlock_version(void) {
    return (int)syscall(444, (void *)0, 0, 1);
}

static inline int linux_landlock_create(const struct landlock_ruleset *ruleset, size_t size) {
    return (int)syscall(444, ruleset, size, 0);
}

static inline int linux_landlock_allow(int ruleset, int file, uint64_t rights) {
    struct {
        uint64_t allowed_access;
        int32_t parent_fd;
    } __attribute__((packed)) rule = {rights, file};
    return (int)syscall(445, ruleset, 1, &rule, 0);
}

static inline int linux_landlock_restrict(int ruleset) {
    return (int)syscall(446, ruleset, 0);
}

static inline int linux_seccomp_can_refuse(void) {
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static inline int linux_seccomp_install(struct sock_filter *filter, unsigned short count) {
    const struct sock_fprog program = {count, filter};
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
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

/// Whether a child has ended. It stays a zombie, so that its process ID is not reused.
static inline int linux_has_ended(pid_t child) {
    siginfo_t info;
    info.si_pid = 0;
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
    return info.si_pid == child;
}

/// Renames a file, relative to a folder; fails with EEXIST instead of replacing another file.
static inline int linux_rename_exclusively(int folder, const char *old, const char *new_name) {
    return (int)syscall(__NR_renameat2, folder, old, folder, new_name, 1);
}

/// A signalfd that is readable while SIGCHLD is pending; the signal must be blocked.
static inline int linux_child_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}
