import CLinux

/// This process.
package enum CurrentProcess {
    /// Forbids core dumps, and that other processes of the user read its memory.
    package static func forbidDumps() {
        linux_forbid_dumps()
    }
}
