import Glibc
package import Platform

/// Walks files and directory trees in name order, without recursion.
///
/// Symbolic links to files are followed, since mail folders contain them; links to directories only
/// if the user named them or asked for it. No directory is read twice. File systems of the kernel
/// are entered only if the user named them.
/// Attachments that Apple Mail removed from a message (`EmlxAttachments`) are returned with the
/// message, not as separate files. A folder with the files of a pass is returned like a file; the
/// files in it that are not of the pass follow.
package struct SourceWalk {
    package enum Step {
        case file(SourceFile)
        case problem(SourceProblem)
    }

    /// The paths that the user named, next one last.
    private var inputs: [Path]
    /// The directories being walked, innermost last.
    private var open: [WalkedDirectory] = []
    private var seen: Set<WalkedDirectory.Identity> = []
    /// The links met on the way that were not followed.
    package private(set) var linksNotFollowed = 0
    private let followsLinks: Bool
    private let stampsDeliveries: Bool
    private let goesDown: Bool
    private let held: FileDescriptor?

    /// - Parameters:
    ///   - followsLinks: Whether to follow links to directories.
    ///   - stampsDeliveries: Whether to stat the messages of a Maildir before they are opened.
    ///     Their folder already shows that they are messages, and stat takes a tenth of the time of
    ///     reading them.
    ///   - goesDown: Whether to descend into subdirectories. `cur` and `new` of a Maildir are
    ///     always read.
    ///   - leavingOut: A directory to skip.
    ///   - held: The only path, if it is a file that is open already.
    package init(
        _ paths: [Path], followsLinks: Bool = false, stampsDeliveries: Bool = true,
        goesDown: Bool = true, leavingOut: Path? = nil, held: FileDescriptor? = nil
    ) {
        inputs = paths.reversed()
        self.followsLinks = followsLinks
        self.stampsDeliveries = stampsDeliveries
        self.goesDown = goesDown
        self.held = held
        if let status = leavingOut?.status(followsLinks: true) {
            seen.insert(WalkedDirectory.Identity(status))
        }
    }

    package mutating func next() -> Step? {
        while let entry = nextEntry() {
            if !stampsDeliveries, entry.isDelivery, entry.type == .file {
                return .file(
                    SourceFile(
                        path: entry.path, stamp: .notTaken, isMessage: entry.isMessage,
                        isNamed: entry.isNamed, isDelivery: entry.isDelivery))
            }
            var status = stat()
            guard unsafe entry.path.withCString({ unsafe stat($0, &status) }) == 0 else {
                return .problem(missing(entry.path, errno))
            }
            let identity = WalkedDirectory.Identity(status)
            let isLink = entry.isLink
            // Only a link or a mounted file system leads to another file system.
            if let device = entry.device, isLink || device != identity.device,
                entry.path.isOfKernel(status)
            {
                linksNotFollowed += isLink ? 1 : 0
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                if entry.isAttachment, !isLink { continue }
                var file = SourceFile(
                    path: entry.path, stamp: FileStamp(status), isMessage: entry.isMessage,
                    isNamed: entry.isNamed, isDelivery: entry.isDelivery)
                if entry.isNamed { file.held = held }
                return .file(file)
            case S_IFDIR:
                guard goesDown || entry.isNamed || open.count == 1 && entry.isOfMaildir else {
                    continue
                }
                if isLink, !followsLinks {
                    linksNotFollowed += 1
                    continue
                }
                guard seen.insert(identity).inserted else { continue }
                if let problem = enter(entry, identity) { return .problem(problem) }
                if open.last?.isUnpackedPass == true {
                    var folder = SourceFile(
                        path: entry.path, stamp: FileStamp(status), isMessage: false,
                        isNamed: entry.isNamed)
                    folder.isUnpackedPass = true
                    return .file(folder)
                }
            default:
                let kind = SourceProblem.Kind.notAFile(SourceWalk.kind(status.st_mode))
                return .problem(SourceProblem(path: entry.path, kind: kind))
            }
        }
        return nil
    }

    /// Skips the files with these names in the folder that was returned last, an unpacked pass.
    package mutating func leaveOut(_ names: Set<[UInt8]>) {
        if let last = open.indices.last { open[last].leftOut = names }
    }

    private mutating func nextEntry() -> WalkedDirectory.Entry? {
        while let last = open.indices.last {
            if let entry = open[last].next() { return entry }
            open.removeLast()
        }
        return inputs.popLast().map { WalkedDirectory.Entry(named: $0) }
    }

    /// Enters a directory.
    private mutating func enter(
        _ entry: WalkedDirectory.Entry, _ identity: WalkedDirectory.Identity
    ) -> SourceProblem? {
        var code: CInt = 0
        open.append(WalkedDirectory(entry, identity, code: &code))
        return code == 0 ? nil : unreadable(entry.path, code)
    }

    private func missing(_ path: Path, _ code: CInt) -> SourceProblem {
        var status = stat()
        let isLink =
            unsafe path.withCString { unsafe lstat($0, &status) } == 0
            && status.st_mode & S_IFMT == S_IFLNK
        return switch code {
        case ELOOP: SourceProblem(path: path, kind: .linkLoop)
        case ENOENT where isLink: SourceProblem(path: path, kind: .danglingLink)
        case ENOENT: SourceProblem(path: path, kind: .vanished)
        default: unreadable(path, code)
        }
    }

    private func unreadable(_ path: Path, _ code: CInt) -> SourceProblem {
        SourceProblem(path: path, kind: .unreadable(FileError(.open, code)))
    }

    private static func kind(_ mode: mode_t) -> SourceProblem.SpecialFile {
        switch mode & S_IFMT {
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        case S_IFCHR, S_IFBLK: .device
        default: .other
        }
    }
}
