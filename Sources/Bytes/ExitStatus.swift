import Glibc

/// How a process ended, as <sys/wait.h> has it in macros that Swift does not import.
package struct ExitStatus {
    /// The signal that ended it; 0 where it ended by itself.
    package let signal: Int32
    package let code: Int32

    /// Waits for a child; nil where the system does not say what became of it.
    package init?(of process: CInt) {
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        self.init(waited: status)
    }

    /// As `waitpid` gives it.
    package init(waited status: CInt) {
        signal = status & 0x7F
        code = status >> 8 & 0xFF
    }
}
