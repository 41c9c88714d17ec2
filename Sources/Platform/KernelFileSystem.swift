import CLinux

/// File systems through which the kernel shows itself; see linux/magic.h.
package enum KernelFileSystem: UInt32 {
    case procfs = 0x9FA0
    case sysfs = 0x6265_6572
    case devpts = 0x1CD1
    case cgroup = 0x0027_E0EB
    case cgroup2 = 0x6367_7270
    case debugfs = 0x6462_6720
    case tracefs = 0x7472_6163
    case securityfs = 0x7363_6673

    /// Nil for a file on any other file system.
    package init?(of path: UnsafePointer<CChar>) {
        self.init(rawValue: unsafe linux_file_system(path))
    }
}
