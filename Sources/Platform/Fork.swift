import CLinux
import Glibc

/// Closes all file descriptors except one, including inherited ones.
package func closeFiles(except file: FileDescriptor?) {
    let number = file?.number ?? -1
    if number > 0 { linux_close_range(0, UInt32(number) - 1) }
    linux_close_range(UInt32(number + 1), .max)
}

/// Forks, runs `body` in the child, and exits with its result; for single-threaded programs.
///
/// The child leads its own process group. The kernel kills it when this process ends.
package func forked(_ body: () -> CInt) throws(FileError) -> ChildProcess {
    let parent = getpid()
    let process = linux_fork()
    if process == 0 {
        guard linux_end_with(parent) == 0 else { _exit(EXIT_FAILURE) }
        _ = setpgid(0, 0)
        _exit(body())
    }
    guard process > 0 else { throw FileError(.startProcess, errno) }
    return ChildProcess(process)
}
