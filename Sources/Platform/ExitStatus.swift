import Glibc

/// The way in which a process ended, decoded as by the macros of <sys/wait.h>, which Swift does not
/// import.
package struct ExitStatus {
    /// The signal that ended the process; 0 if it exited.
    package let signal: Int32
    package let code: Int32

    /// Waits for a child process; nil if `waitpid` fails.
    package init?(of process: CInt) {
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        self.init(waited: status)
    }

    /// Decodes a status from `waitpid`.
    package init(waited status: CInt) {
        signal = status & 0x7F
        code = status >> 8 & 0xFF
    }
}
