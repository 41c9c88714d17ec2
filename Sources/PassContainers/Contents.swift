package import Archives
package import Bytes
package import PassDetection

/// What the bytes of a file or a part are, as far as passes are concerned.
package enum Contents: Sendable {
    /// An archive with a pass.json: what is in it, the verifier says.
    case pass
    /// An archive that holds passes, or archives that may: the members to look into, in their order.
    case container([Member])
    /// Nothing of a pass. `archive` says whether it could be opened as a ZIP archive.
    case other(isArchive: Bool)

    package struct Member: Sendable {
        package let name: String
        package let octets: Octets
    }

    /// Looks into octets. Archives that cannot be read, or hold nothing of interest, are `other`.
    package init(
        _ octets: Octets, types: TypeMap, limits: ContainerLimits = ContainerLimits(),
        onProblem: (ContainerProblem) -> Void = { _ in }
    ) {
        let archive: ZipArchive
        do throws(ZipError) {
            archive = try ZipArchive(octets, limits: limits.archive)
        } catch {
            self = .other(isArchive: false)
            return
        }
        if Contents.isPass(archive) {
            self = .pass
            return
        }
        var members: [Member] = []
        for entry in archive.entries where !entry.isDirectory {
            guard Contents.isOfInterest(entry, in: archive, types) else { continue }
            guard members.count < limits.members else {
                onProblem(
                    ContainerProblem(
                        member: entry.name, code: "limit-members",
                        detail: "the archive holds more than \(limits.members) passes"))
                break
            }
            do throws(ZipError) {
                members.append(Member(name: entry.name, octets: try archive.octets(of: entry)))
            } catch {
                onProblem(
                    ContainerProblem(member: entry.name, code: "unreadable", detail: "\(error)"))
            }
        }
        self = members.isEmpty ? .other(isArchive: true) : .container(members)
    }

    /// Whether a pass.json lies at the top, or in the one folder around everything.
    private static func isPass(_ archive: borrowing ZipArchive) -> Bool {
        if archive.contains("pass.json") { return true }
        guard let first = archive.entries.first?.name, let slash = first.firstIndex(of: "/") else {
            return false
        }
        let folder = first[...slash]
        return archive.entries.allSatisfy {
            $0.name.hasPrefix(folder) || $0.name.hasPrefix("__MACOSX/")
        }
            && archive.contains(folder + "pass.json")
    }

    private static func isOfInterest(
        _ entry: ZipEntry, in archive: borrowing ZipArchive, _ types: TypeMap
    ) -> Bool {
        // A Mac's archive holds `._` twins of its files, with their metadata.
        let name = entry.name.split(separator: "/").last.map(String.init) ?? ""
        if entry.name.hasPrefix("__MACOSX/") || name.hasPrefix("._") { return false }
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

/// What opening a container may cost. Apple's bundles hold at most 10 passes and 150 MB; the archives
/// that people make have no such bound.
package struct ContainerLimits: Sendable {
    package var archive: ZipLimits
    package var members = 1_000
    /// Containers within one another.
    package var depth = 5
    /// An archive on standard input, which has to be kept to be read, in bytes.
    package var standardInput = 160 << 20

    package init() {
        archive = ZipLimits()
        archive.archive = 160 << 20
        archive.entries = 20_000
        archive.total = 512 << 20
    }
}

/// A member of a container that could not be had.
package struct ContainerProblem: Sendable {
    package let member: String
    package let code: String
    package let detail: String
}
