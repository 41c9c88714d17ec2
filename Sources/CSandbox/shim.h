#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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
