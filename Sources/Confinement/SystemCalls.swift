import CLinux
import Glibc

extension SystemCallFilter {
    /// All calls but those that lead around what Landlock guards, or that older kernels' does not.
    static func withoutWaysOut(
        startsPrograms: Bool, allowsSockets: Bool, setsProperties: Bool, cutsFiles: Bool
    ) -> SystemCallFilter {
        var filter = SystemCallFilter()
        if !startsPrograms { filter.add(.refuse, to: [__NR_execve, __NR_execveat]) }
        // Also those of this computer: a service that starts programs is one socket away.
        if !allowsSockets { filter.add(.refuse, to: [__NR_socket]) }
        // What a ring does is no system call.
        filter.add(
            .refuse, to: [__NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register])
        // Into other processes.
        filter.add(
            .refuse,
            to: [
                __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_pidfd_getfd,
                __NR_pidfd_send_signal, __NR_tkill,
            ])
        let signals = [__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo]
        filter.add(.allow, to: signals, where: 0, is: UInt32(bitPattern: getpid()))
        filter.add(.refuse, to: signals)
        // Typed into the terminal, which its shell would read.
        let typeIntoTerminal: UInt32 = 0x5412
        let controlConsole: UInt32 = 0x541C
        filter.add(.refuse, to: [__NR_ioctl], where: 1, is: typeIntoTerminal)
        filter.add(.refuse, to: [__NR_ioctl], where: 1, is: controlConsole)
        // Limits, turns and memory of others; 0 is this process.
        filter.add(.allow, to: [__NR_prlimit64], where: 0, is: 0)
        filter.add(
            .refuse,
            to: [
                __NR_prlimit64, __NR_setpriority, __NR_ioprio_set, __NR_sched_setaffinity,
                __NR_sched_setattr, __NR_sched_setparam, __NR_sched_setscheduler, __NR_shmget,
                __NR_shmat, __NR_semget, __NR_msgget,
            ])
        // Namespaces of its own, in which it would be root.
        let namespaces: UInt32 = 0x7E02_0000
        filter.add(.refuse, to: [__NR_clone], where: 0, has: namespaces)
        // Its flags lie in memory, where no filter looks. (Linux 5.3)
        let clone3: CInt = 435
        filter.add(.deny, to: [clone3])
        if !setsProperties { filter.add(.refuse, to: changesOfProperties) }
        if !cutsFiles { filter.refuseCuts() }
        // Parts of the kernel that no parser needs, and that had defects.
        filter.add(
            .refuse,
            to: [
                __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_add_key, __NR_request_key,
                __NR_keyctl, __NR_open_by_handle_at, __NR_unshare, __NR_setns, __NR_mount,
            ])
        return filter
    }

    /// What Landlock does not see before its third version: a file that may be read can be cut to nothing,
    /// by its path or as it is opened.
    private mutating func refuseCuts() {
        let cut = UInt32(O_TRUNC)
        // The flags of the last lie in memory, where no filter looks.
        add(.refuse, to: [__NR_truncate, __NR_openat2])
        add(.refuse, to: [__NR_openat], where: 2, has: cut)
        #if arch(x86_64)
            add(.refuse, to: [__NR_open], where: 1, has: cut)
            add(.refuse, to: [__NR_creat])
        #endif
    }

    /// The calls of a parser that was given open files and needs memory for what it does with them.
    static var openFilesAlone: SystemCallFilter {
        let calls = [
            __NR_read, __NR_write, __NR_pread64, __NR_pwrite64, __NR_lseek, __NR_close, __NR_mmap,
            __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk, __NR_futex,
            __NR_getrandom, __NR_clock_gettime, __NR_gettid, __NR_getpid, __NR_rt_sigaction,
            __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_restart_syscall, __NR_exit_group,
        ]
        var filter = SystemCallFilter()
        filter.add(.refuse, from: (calls.max() ?? 0) + 1)
        filter.add(
            .refuse, to: [__NR_mmap, __NR_mprotect], where: 2, has: UInt32(PROT_EXEC))
        filter.add(.allow, to: calls)
        // How a program ends itself when it finds a defect of its own.
        filter.add(.allow, to: [__NR_tgkill], where: 0, is: UInt32(bitPattern: getpid()))
        return filter
    }

    /// By the path of a file, and of a file that may only be read.
    private static var changesOfProperties: [CInt] {
        // Of Linux 6.6 and 6.13, which the headers are older than.
        let fchmodat2: CInt = 452
        let setxattrat: CInt = 463
        let removexattrat: CInt = 466
        let everywhere = [
            __NR_fchmodat, fchmodat2, __NR_fchownat, __NR_setxattr, __NR_lsetxattr, setxattrat,
            __NR_removexattr, __NR_lremovexattr, removexattrat, __NR_utimensat, __NR_fchmod,
            __NR_fchown, __NR_fsetxattr, __NR_fremovexattr,
        ]
        #if arch(x86_64)
            return everywhere + [
                __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
            ]
        #else
            return everywhere
        #endif
    }
}
