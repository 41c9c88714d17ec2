import Bytes
import CLinux
import Glibc

/// Rules for files, for TCP and for what other processes can be told, made for Landlock of Linux
/// (Documentation/userspace-api/landlock.rst). What no rule allows is forbidden.
struct Landlock: ~Copyable {
    /// That of the kernel's interface.
    let version: Int
    /// Whether processes outside are out of reach of signals and of sockets without a file.
    let scopes: Bool
    private let descriptor: FileDescriptor
    private let handled: FileRights

    /// Nil where the kernel has none, or none that would do.
    init?(newest: Int, movesFiles: Bool, allowsSockets: Bool) throws(FileError) {
        let version = min(Int(linux_landlock_version()), newest)
        // The first version forbids to move files from one folder to another, and that cannot be allowed.
        guard version >= (movesFiles ? 2 : 1) else { return nil }
        let handled = FileRights.known(to: version)
        // To bind and to connect TCP.
        let network: UInt64 = version >= 4 && !allowsSockets ? 0b11 : 0
        // Sockets without a file, and signals.
        let scope: UInt64 = version >= 6 ? 0b11 : 0
        var number = Landlock.create(handled, network, scope, version)
        // Red Hat's kernels of version 9 call themselves the sixth, and have no scopes.
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
        // Older kernels refuse what they do not know only if it is not zero, and take any size.
        let size = MemoryLayout<landlock_ruleset>.size
        return unsafe linux_landlock_create(&ruleset, size)
    }

    /// Allows something for a file, or for a folder and all beneath it. What is not there needs no rule.
    ///
    /// - Parameter staysOpen: For folders of /proc: the kernel may drop an unused inode and make a new
    ///   one, which the rule does not cover.
    func allow(
        _ rights: FileRights, beneath path: [UInt8], staysOpen: Bool = false
    ) throws(FileError) {
        // O_PATH, which the Glibc module does not have: a handle for the place alone, which opens no
        // device and waits for no FIFO.
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
            // Pipes and their like lie in no folder, and stay allowed.
            errno != EBADFD
        {
            throw FileError(.addRule, errno)
        }
    }

    /// From here on the rules hold.
    func restrict() throws(FileError) {
        if linux_landlock_restrict(descriptor.number) != 0 {
            throw FileError(.applyRules, errno)
        }
    }
}
