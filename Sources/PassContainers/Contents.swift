package import Archives
package import Bytes
package import PassDetection

/// What the bytes of a file or a part are, as far as passes are concerned.
package enum Contents {
    /// An archive with a pass.json: what is in it, the verifier says.
    case pass
    /// An archive that holds passes, or archives that may: the members to look into, in their order.
    case container([Member])
    /// Nothing of a pass. `archive` says whether it could be opened as a ZIP archive.
    case other(isArchive: Bool)

    /// Looks into octets. Archives that cannot be read, or hold nothing of interest, are `other`.
    package init(
        _ octets: Octets, types: TypeMap, limits: ContainerLimits = ContainerLimits()
    ) {
        let container: OpenContainer
        do throws(ZipError) {
            container = try OpenContainer(octets, limits.archive)
        } catch {
            self = .other(isArchive: false)
            return
        }
        if Contents.isPass(container.archive) {
            self = .pass
            return
        }
        var members: [Member] = []
        for entry in container.archive.entries where !entry.isDirectory {
            if Contents.isOfInterest(entry, in: container.archive, types) {
                members.append(Member(container, entry))
            }
        }
        self = members.isEmpty ? .other(isArchive: true) : .container(members)
    }

    /// Whether a pass.json lies at the top, or in the one folder around everything.
    private static func isPass(_ archive: borrowing ZipArchive) -> Bool {
        archive.contains("pass.json") || archive.topFolder(around: "pass.json") != nil
    }

    private static func isOfInterest(
        _ entry: ZipEntry, in archive: borrowing ZipArchive, _ types: TypeMap
    ) -> Bool {
        // A Mac's archive holds `._` twins of its files, with their metadata.
        let name = entry.name.split(separator: "/").last.map(String.init) ?? ""
        if entry.isOfMac || name.hasPrefix("._") { return false }
        if types.isPassName(name) || name.lowercased().hasSuffix(".zip") { return true }
        return !name.contains(".") && isArchive(entry, in: archive)
    }

    /// Whether an entry without an extension begins as an archive does.
    private static func isArchive(_ entry: ZipEntry, in archive: borrowing ZipArchive) -> Bool {
        var isArchive = false
        try? archive.read(entry) { piece throws(ZipError) in
            isArchive = piece.hasPrefix("PK\u{3}\u{4}", at: 0)
            return false
        }
        return isArchive
    }
}

extension Contents {
    /// A member of a container. It is inflated when it is asked for, so that a container costs no
    /// more memory than one of its members.
    package struct Member {
        private let container: OpenContainer
        private let entry: ZipEntry

        fileprivate init(_ container: OpenContainer, _ entry: ZipEntry) {
            self.container = container
            self.entry = entry
        }

        /// With its folders.
        package var name: String { entry.name }

        /// How many bytes may have been inflated before it was refused.
        package func costOfRefusal(_ error: ZipError, _ limits: ZipLimits) -> Int {
            switch error {
            case .encrypted, .unsupportedCompression, .file: 0
            default:
                min(
                    limits.entry,
                    limits.ratioFloor + min(entry.compressedSize, limits.entry) * limits.ratio)
            }
        }

        package func octets(limit: Int, spool: SpoolPolicy) throws(ZipError) -> Octets {
            try container.archive.octets(of: entry, limit: limit, policy: spool)
        }
    }
}

/// An archive that stays open as long as one of its members is to be looked into.
private final class OpenContainer {
    let archive: ZipArchive

    init(_ octets: Octets, _ limits: ZipLimits) throws(ZipError) {
        archive = try ZipArchive(octets, limits: limits)
    }
}

/// What opening a container may cost. Apple's bundles hold at most 10 passes and 150 MB; the archives
/// that people make have no such bound.
package struct ContainerLimits: Sendable {
    package var archive: ZipLimits
    /// Of a container and those within it, together.
    package var members = 10_000
    /// Of all these members, inflated, in bytes.
    package var total = 512 << 20
    /// Containers within one another.
    package var depth = 5
    /// An archive on standard input, which has to be kept to be read, in bytes.
    package var standardInput = 160 << 20

    package init() {
        archive = ZipLimits()
        archive.archive = 160 << 20
        archive.entries = 20_000
        archive.total = total
    }
}
