import CSandbox
import Glibc
package import Platform

/// The permissions kept by this process and by all processes that it starts later.
///
/// Landlock limits which files can be opened, as far as the kernel's version supports it. A seccomp
/// filter allows only the listed system calls. Neither can be undone. Files already open remain
/// usable. No kernel version can restrict reading file metadata (`stat`) yet.
package struct ProcessRights: Sendable {
    /// Files, and folders with their contents, that may be read.
    package var readable: [[UInt8]] = []
    /// Folders below which files may be read, created, changed, moved and removed.
    package var writable: [[UInt8]] = []
    /// Folders in which empty folders may be removed.
    package var tidied: [[UInt8]] = []
    /// Folders for unnamed temporary files; the first that supports them is used. Other files in it
    /// can be opened by name, but cannot be listed, created or removed.
    package var spools: [String] = []
    /// Programs, and folders of programs, that may be started.
    package var executable: [[UInt8]] = []
    /// Whether network and local sockets may be created. Otherwise, inherited sockets can only be
    /// read and written.
    package var allowsSockets = false
    /// Whether the owner, permissions and times of any file may be set.
    package var setsProperties = false
    /// Whether root keeps its permission to read and write the files of other users.
    package var overridesPermissions = true
    /// The newest Landlock version to use, to test the behaviour of older kernels.
    package var newestLandlock = Int.max

    private let isNothing: Bool

    package init() {
        isNothing = false
    }

    private init(isNothing: Bool) {
        self.isNothing = isNothing
    }

    /// Only reading and writing open files, allocating memory, and exiting. Few system calls
    /// remain, which also puts most kernel defects out of reach.
    package static let nothing = ProcessRights(isNothing: true)

    /// Confines this thread and the threads that it starts afterwards; call it before starting any.
    ///
    /// - Returns: The protections that the kernel enforces.
    /// - Throws: An error if the kernel refused a request that it should support.
    package func apply() throws(FileError) -> Protections {
        var protections = Protections()
        // Without this, only root may use the other protections, because restrictions could mislead
        // a setuid program.
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

    /// The capabilities that root keeps: to read and write the files of other users.
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
                // Without O_TMPFILE, the file briefly has a name.
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
