package import Bytes
import CLinux
import Glibc

/// What this process may still do from some moment on, and all that it starts later.
///
/// Landlock limits which files can be opened, as far as the kernel's version of it knows. A filter allows
/// only the listed system calls. Neither can be taken back. Files that are open stay so. No kernel limits
/// yet who may look at the names and the properties of files (`stat`).
package struct Confinement: Sendable {
    /// Files that may be read, and folders with all that lies beneath them.
    package var readable: [[UInt8]] = []
    /// Folders beneath which files may be read, made, changed, moved and removed.
    package var writable: [[UInt8]] = []
    /// Folders in which folders may be removed that hold nothing.
    package var tidied: [[UInt8]] = []
    /// Folders of which the first that can shall hold files without a name. Others in it can be opened by
    /// who knows their names, but not listed, made or removed.
    package var spools: [String] = []
    /// Programs that may be started, and folders of such.
    package var executable: [[UInt8]] = []
    /// Whether there is a way to other computers, and to the services of this one. Without it there are no
    /// sockets, and an inherited one is only read and written.
    package var allowsSockets = false
    /// Whether the owner, the permissions and the times of files may be set, wherever they are.
    package var setsProperties = false
    /// Whether root keeps its right to read and to write files, whosever they are.
    package var overridesPermissions = true
    /// The newest version of Landlock that is used: newer kernels can so be had to do what older ones do.
    package var newestLandlock = Int.max

    private let isNothing: Bool

    package init() {
        isNothing = false
    }

    private init(isNothing: Bool) {
        self.isNothing = isNothing
    }

    /// Reading and writing what is open, asking for memory, and ending: nothing else. The kernel checks
    /// each system call, so that this also keeps one of its defects out of reach.
    package static let nothing = Confinement(isNothing: true)

    /// Takes effect for this thread and those that it starts from here on: the time for it is before
    /// there are others.
    ///
    /// - Returns: What the kernel could do.
    /// - Throws: What it refused although it should have been able to.
    package func apply() throws(FileError) -> Protections {
        var protections = Protections()
        // Without this, the others are for root alone: a program with rights of its own (setuid) might
        // be led astray by them.
        protections.forbidsNewPrivileges = linux_forbid_new_privileges() == 0
        guard protections.forbidsNewPrivileges else { return protections }
        _ = linux_keep_capabilities(capabilities)
        let ruleset = try Landlock(
            newest: newestLandlock, movesFiles: !writable.isEmpty, allowsSockets: allowsSockets)
        if let ruleset {
            try allow(in: ruleset)
            try ruleset.restrict()
            protections.landlock = ruleset.version
            protections.confinesSignals = ruleset.scopes
        }
        protections.filtersCalls = try filterCalls(cutsFiles: protections.landlock >= 3)
        return protections
    }

    /// What remains of root: to read and to write files, whosever they are.
    private var capabilities: UInt32 {
        if isNothing || !overridesPermissions { return 0 }
        return [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER, CAP_FSETID]
            .reduce(0) { $0 | 1 << UInt32($1) }
    }

    private func allow(in ruleset: borrowing Landlock) throws(FileError) {
        for path in readable {
            let isInProc = path.starts(with: "/proc/".utf8)
            try ruleset.allow(.reading, beneath: path, staysOpen: isInProc)
        }
        for path in writable { try ruleset.allow(.writing, beneath: path) }
        for path in tidied { try ruleset.allow(.removeDirectory, beneath: path) }
        for path in executable { try ruleset.allow(.execute, beneath: path) }
        for path in spools {
            var rights: FileRights = [.readFile, .writeFile]
            if let file = FileDescriptor.unnamed(in: path) {
                file.close()
            } else if let file = try? FileDescriptor.temporary(in: path) {
                file.close()
                // It has a name for a moment.
                rights.formUnion([.makeFile, .removeFile])
            } else {
                continue
            }
            return try ruleset.allow(rights, beneath: Array(path.utf8))
        }
    }

    private func filterCalls(cutsFiles: Bool) throws(FileError) -> Bool {
        guard !isNothing else { return try SystemCallFilter.openFilesAlone.install() }
        return try SystemCallFilter.listedCalls(
            startsPrograms: !executable.isEmpty, allowsSockets: allowsSockets,
            setsProperties: setsProperties, cutsFiles: cutsFiles
        ).install()
    }
}
