/// The way in which a process ended, decoded as by the macros of <sys/wait.h>, which Swift does not
/// import.
package struct ExitStatus: Hashable {
    /// The exit code; nil if a signal ended the process.
    package let code: CInt?
    /// The signal that ended the process; 0 if it exited.
    package let signal: CInt

    /// Decodes a status from `waitpid`.
    init(waited status: CInt) {
        signal = status & 0x7F
        code = signal == 0 ? status >> 8 & 0xFF : nil
    }
}
