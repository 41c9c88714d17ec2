import CSandbox
import Glibc
import Platform

/// A Landlock ruleset for files, TCP and signals (Documentation/userspace-api/landlock.rst).
/// Anything that no rule allows is forbidden.
struct Landlock: ~Copyable {
    /// The version of the kernel interface.
    let version: Int
    /// Whether signals and abstract sockets to processes outside are forbidden.
    let scopes: Bool
    private let descriptor: FileDescriptor
    private let handled: FileRights

    /// Nil if the kernel's support for Landlock is missing or insufficient.
    init?(newest: Int, movesFiles: Bool, allowsSockets: Bool) throws(FileError) {
        let version = min(Int(linux_landlock_version()), newest)
        // Version 1 always forbids moving files between folders.
        guard version >= (movesFiles ? 2 : 1) else { return nil }
        let handled = FileRights.known(to: version)
        // Binding and connecting TCP sockets.
        let network: UInt64 = version >= 4 && !allowsSockets ? 0b11 : 0
        // Abstract sockets and signals.
        let scope: UInt64 = version >= 6 ? 0b11 : 0
        var number = Landlock.create(handled, network, scope, version)
        // Red Hat's version 9 kernels report version 6, but lack scopes.
        let scopes = scope != 0 && number >= 0
        if number < 0, errno == EINVAL || errno == E2BIG, scope != 0 {
            number = Landlock.create(handled, network, 0, version)
        }
        guard number >= 0 else { throw FileError(.makeRules, errno) }
        self.version = version
        self.scopes = scopes
        self.handled = handled
        descriptor = FileDescriptor(number)
    }

    deinit { descriptor.close() }

    private static func create(
        _ files: FileRights, _ network: UInt64, _ scope: UInt64, _ version: Int
    ) -> CInt {
        var ruleset = landlock_ruleset(
            handled_access_fs: files.rawValue, handled_access_net: network, scoped: scope)
        // Older kernels accept any size if the unknown fields are zero.
        let size = MemoryLayout<landlock_ruleset>.size
        return unsafe linux_landlock_create(&ruleset, size)
    }

    /// Allows rights for a file, or for a folder and everything below it. Missing files are
    /// ignored.
    ///
    /// - Parameter staysOpen: For folders of /proc: keeps the inode in use. Otherwise the kernel
    ///   may drop it and create a new one, which the rule does not cover.
    func allow(
        _ rights: FileRights, beneath path: [UInt8], staysOpen: Bool = false
    ) throws(FileError) {
        // O_PATH, which Glibc does not export to Swift. It neither opens devices nor waits for
        // FIFOs.
        let placeOnly: CInt = 0o10000000
        let place = path.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe open(place, placeOnly | O_CLOEXEC)
        guard number >= 0 else { return }
        defer { if !staysOpen { close(number) } }
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return }
        var rights = rights.intersection(handled)
        if status.st_mode & S_IFMT != S_IFDIR { rights.formIntersection(.ofFiles) }
        guard !rights.isEmpty else { return }
        if linux_landlock_allow(descriptor.number, number, rights.rawValue) != 0,
            // Pipes and similar files are not in a folder, and remain allowed.
            errno != EBADFD
        {
            throw FileError(.addRule, errno)
        }
    }

    /// Enforces the rules from now on.
    func restrict() throws(FileError) {
        if linux_landlock_restrict(descriptor.number) != 0 {
            throw FileError(.applyRules, errno)
        }
    }
}
