import CSandbox
import Glibc

/// Lists of system calls. The calls of all architectures come first; x86-64 has older equivalents,
/// and the C library uses either.
extension SystemCallFilter {
    /// The calls for programs that read untrusted data: memory, threads, time, waiting, and files
    /// as far as Landlock allows. Unless sockets are allowed, none can be created, connected or
    /// addressed.
    ///
    /// - Parameters:
    ///   - startsPrograms: Whether programs may be started.
    ///   - allowsSockets: Whether network and local sockets may be created.
    ///   - setsProperties: Whether the owner, permissions and times of files may be set.
    ///   - cutsFiles: Whether files may be truncated by path; true if Landlock controls that.
    static func listedCalls(
        startsPrograms: Bool, allowsSockets: Bool, setsProperties: Bool, cutsFiles: Bool
    ) -> SystemCallFilter {
        var filter = SystemCallFilter(unlisted: ENOSYS, refused: EACCES)
        filter.allow(memory + threads + time + waiting + facts + openFiles + namedFiles)
        filter.allowOwnProcess()
        filter.allowControlOfFiles()
        filter.allowCuts(everywhere: cutsFiles)
        // Callers expect EACCES both for a program that may not be started and for a file of
        // another user.
        filter.refuse(programs + properties)
        if setsProperties { filter.allow(properties) }
        if startsPrograms { filter.allowPrograms() }
        if allowsSockets { filter.allowSockets() }
        return filter
    }

    /// For a parser that needs only its open files and memory.
    static var openFilesAlone: SystemCallFilter {
        var filter = SystemCallFilter(unlisted: EPERM, refused: EPERM)
        filter.allow([
            __NR_read, __NR_write, __NR_pread64, __NR_pwrite64, __NR_lseek, __NR_close,
            __NR_munmap, __NR_mremap, __NR_madvise, __NR_brk, __NR_futex, __NR_getrandom,
            __NR_clock_gettime, __NR_gettid, __NR_getpid, __NR_rt_sigaction, __NR_rt_sigprocmask,
            __NR_rt_sigreturn, __NR_restart_syscall, __NR_exit_group,
        ])
        filter.allow([__NR_mmap, __NR_mprotect], if: .argument(2, hasNone: UInt32(PROT_EXEC)))
        // A program aborts with tgkill.
        filter.allow([__NR_tgkill], if: .argument(0, isAny: [ownProcess]))
        return filter
    }

    /// Memory may be executable, because iconv and OpenSSL load modules late.
    private static var memory: [CInt] {
        [
            __NR_brk, __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_msync,
            __NR_mincore, __NR_membarrier,
        ]
    }

    private static var threads: [CInt] {
        let calls = [
            __NR_futex, __NR_set_robust_list, __NR_get_robust_list, __NR_set_tid_address,
            __NR_gettid, __NR_exit, __NR_exit_group, __NR_sched_yield, __NR_sched_getaffinity,
            __NR_sched_getattr, __NR_sched_getparam, __NR_sched_getscheduler,
            __NR_sched_get_priority_max, __NR_sched_get_priority_min, __NR_getcpu, __NR_rseq,
        ]
        #if arch(x86_64)
            return calls + [__NR_arch_prctl]
        #else
            return calls
        #endif
    }

    private static var time: [CInt] {
        let calls = [
            __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep,
            __NR_gettimeofday, __NR_times, __NR_getrusage, __NR_timerfd_create,
            __NR_timerfd_settime, __NR_timerfd_gettime,
        ]
        #if arch(x86_64)
            return calls + [__NR_time]
        #else
            return calls
        #endif
    }

    /// Waiting for files, signals, inotify events and child processes.
    private static var waiting: [CInt] {
        let calls = [
            __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait,
            __NR_epoll_pwait2, __NR_eventfd2, __NR_signalfd4, __NR_inotify_init1,
            __NR_inotify_add_watch, __NR_inotify_rm_watch, __NR_rt_sigaction, __NR_rt_sigprocmask,
            __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigsuspend, __NR_rt_sigtimedwait,
            __NR_sigaltstack, __NR_restart_syscall, __NR_wait4, __NR_waitid,
        ]
        #if arch(x86_64)
            return calls + [
                __NR_poll, __NR_select, __NR_epoll_create, __NR_epoll_wait, __NR_eventfd,
                __NR_signalfd, __NR_inotify_init, __NR_pause,
            ]
        #else
            return calls
        #endif
    }

    /// Information about the process and the computer.
    private static var facts: [CInt] {
        let calls = [
            __NR_getpid, __NR_getppid, __NR_getpgid, __NR_getsid, __NR_getuid, __NR_geteuid,
            __NR_getgid, __NR_getegid, __NR_getresuid, __NR_getresgid, __NR_getgroups, __NR_uname,
            __NR_sysinfo, __NR_getrandom,
        ]
        #if arch(x86_64)
            return calls + [__NR_getpgrp, __NR_getrlimit]
        #else
            return calls
        #endif
    }

    private static var openFiles: [CInt] {
        let calls = [
            __NR_read, __NR_readv, __NR_pread64, __NR_preadv, __NR_preadv2, __NR_write,
            __NR_writev, __NR_pwrite64, __NR_pwritev, __NR_pwritev2, __NR_lseek, __NR_close,
            __NR_close_range, __NR_dup, __NR_dup3, __NR_pipe2, __NR_fstat, __NR_fstatfs, __NR_flock,
            __NR_fsync, __NR_fdatasync, __NR_sync_file_range, __NR_ftruncate, __NR_fallocate,
            __NR_fadvise64, __NR_readahead, __NR_getdents64, __NR_sendfile, __NR_copy_file_range,
            __NR_fgetxattr, __NR_flistxattr,
        ]
        #if arch(x86_64)
            return calls + [__NR_dup2, __NR_pipe, __NR_getdents]
        #else
            return calls
        #endif
    }

    /// Calls controlled by Landlock, and calls that it ignores (`stat` and similar ones). openat2
    /// is not included: its flags are in memory, which filters cannot read.
    private static var namedFiles: [CInt] {
        let calls = [
            __NR_newfstatat, __NR_statx, __NR_faccessat, __NR_faccessat2, __NR_readlinkat,
            __NR_statfs, __NR_getxattr, __NR_lgetxattr, __NR_listxattr, __NR_llistxattr,
            __NR_getcwd, __NR_chdir, __NR_fchdir, __NR_umask, __NR_mkdirat, __NR_unlinkat,
            __NR_linkat, __NR_symlinkat, __NR_renameat, __NR_renameat2,
        ]
        #if arch(x86_64)
            return calls + [
                __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_mkdir,
                __NR_rmdir, __NR_unlink, __NR_link, __NR_symlink, __NR_rename,
            ]
        #else
            return calls
        #endif
    }

    private static var programs: [CInt] { [__NR_execve, __NR_execveat] }

    /// File properties, by path and of files open for reading.
    private static var properties: [CInt] {
        // Added in Linux 6.6 and 6.13.
        let fchmodat2: CInt = 452
        let setxattrat: CInt = 463
        let removexattrat: CInt = 466
        let calls = [
            __NR_fchmodat, fchmodat2, __NR_fchownat, __NR_setxattr, __NR_lsetxattr, setxattrat,
            __NR_removexattr, __NR_lremovexattr, removexattrat, __NR_utimensat, __NR_fchmod,
            __NR_fchown, __NR_fsetxattr, __NR_fremovexattr,
        ]
        #if arch(x86_64)
            return calls + [
                __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
            ]
        #else
            return calls
        #endif
    }

    private static var ownProcess: UInt32 { UInt32(bitPattern: getpid()) }

    /// Signals, limits and names of this process, and new threads.
    private mutating func allowOwnProcess() {
        let signals = [__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo]
        allow(signals, if: .argument(0, isAny: [Self.ownProcess]))
        // 0 means this process.
        allow([__NR_prlimit64], if: .argument(0, isAny: [0]))
        let nameMemory: UInt32 = 0x5356_4D41
        allow(
            [__NR_prctl],
            if: .argument(0, isAny: [UInt32(PR_SET_NAME), UInt32(PR_GET_NAME), nameMemory]))
        // The flags of clone3 are in memory, which filters cannot read; without it, libraries use
        // clone.
        allow(
            [__NR_clone], if: .argument(0, has: CloneFlag.thread),
            .argument(0, hasNone: CloneFlag.namespaces))
    }

    private mutating func allowControlOfFiles() {
        // F_SETOWN is not included: it can make the kernel signal any process.
        let commands: [UInt32] = [
            // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW
            0, 1, 2, 3, 4, 5, 6, 7,
            // F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW
            36, 37, 38,
            // F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_GETPIPE_SZ
            1030, 1031, 1032,
        ]
        allow([__NR_fcntl], if: .argument(1, isAny: commands))
        // TIOCSTI and TIOCLINUX are not included: they can insert input into a terminal, for its
        // shell to read.
        allow([__NR_ioctl], if: .argument(1, isAny: Self.requests))
    }

    private static var requests: [UInt32] {
        // Used by glibc 2.42 to test for a terminal.
        let getAttributesOfTerminal2: UInt32 = 0x802C_542A
        return [
            UInt32(TCGETS), getAttributesOfTerminal2, UInt32(TCFLSH), UInt32(TIOCGPGRP),
            UInt32(TIOCGWINSZ), UInt32(FIONREAD), UInt32(FIONBIO), UInt32(FIOCLEX),
            UInt32(FIONCLEX),
        ]
    }

    /// Opening files. Before version 3, Landlock controls truncation neither by path nor on
    /// opening.
    private mutating func allowCuts(everywhere: Bool) {
        guard !everywhere else {
            allow([__NR_openat, __NR_truncate])
            #if arch(x86_64)
                allow([__NR_open, __NR_creat])
            #endif
            return
        }
        let cut = UInt32(O_TRUNC)
        allow([__NR_openat], if: .argument(2, hasNone: cut))
        refuse([__NR_truncate])
        #if arch(x86_64)
            allow([__NR_open], if: .argument(1, hasNone: cut))
            refuse([__NR_creat])
        #endif
    }

    /// Child processes, programs, and the calls with which those confine themselves further.
    private mutating func allowPrograms() {
        allow(Self.programs)
        allow([__NR_clone], if: .argument(0, hasNone: CloneFlag.namespaces))
        allow([
            __NR_setpgid, __NR_setsid, __NR_seccomp, __NR_capget, __NR_capset,
            __NR_landlock_create_ruleset, __NR_landlock_add_rule, __NR_landlock_restrict_self,
        ])
        let options = [PR_SET_NAME, PR_GET_NAME, PR_SET_NO_NEW_PRIVS, PR_CAPBSET_READ]
        allow([__NR_prctl], if: .argument(0, isAny: options.map(UInt32.init)))
        #if arch(x86_64)
            allow([__NR_fork, __NR_vfork])
        #endif
    }

    /// Sockets for IP, netlink (addresses of this computer) and local services, which the C library
    /// may use to resolve hosts.
    private mutating func allowSockets() {
        let families = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK].map { UInt32($0) }
        allow([__NR_socket], if: .argument(0, isAny: families))
        // libcurl's thread that resolves a host reports to such a pair.
        allow([__NR_socketpair], if: .argument(0, isAny: [UInt32(AF_UNIX)]))
        allow([
            __NR_connect, __NR_bind, __NR_getsockname, __NR_getpeername, __NR_setsockopt,
            __NR_getsockopt, __NR_shutdown, __NR_sendto, __NR_sendmsg, __NR_sendmmsg,
            __NR_recvfrom, __NR_recvmsg, __NR_recvmmsg,
        ])
        // SIOCGIFNAME and SIOCGIFINDEX, for link-local addresses.
        let interfaces: [UInt32] = [0x8910, 0x8933]
        allow([__NR_ioctl], if: .argument(1, isAny: Self.requests + interfaces))
    }
}

private enum CloneFlag {
    static let thread: UInt32 = 0x0001_0000
    /// Not allowed, since a process would be root in a new user namespace.
    static let namespaces: UInt32 = 0x7E02_0000
}
