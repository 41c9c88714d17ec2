package import Archives
package import Bytes
package import Compression
package import MailContainers
package import MailSource
package import PassDetection
import Platform

/// The kind of a file or part, with regard to passes.
package enum Contents {
    /// An archive with a pass.json; the verifier examines its contents.
    case pass
    /// A container of passes or possible passes: the members to examine, in order, and the problems
    /// with reading it.
    case container([Member], [ContainerProblem])
    /// A single compressed file.
    case compressed(CompressionFormat)
    /// A message or mailbox.
    case mail(MailFormat)
    /// Mail that ``MailRepair`` must convert first.
    case damagedMail
    case tar
    /// A Mac file without its data fork.
    case resourceFork
    /// A CMS message (RFC 5652).
    case cms
    /// An archive that exceeds the limits.
    case refused(ZipError)
    /// Not related to passes. `archive` is true if it could be opened as a ZIP archive.
    case other(isArchive: Bool)

    /// Examines octets. Archives that are unreadable, or contain nothing of interest, are `other`.
    package init(
        _ octets: SpooledBytes, types: TypeMap, limits: ContainerLimits = ContainerLimits()
    ) {
        var entriesLeft = limits.entries
        self.init(octets, types: types, limits: limits, entriesLeft: &entriesLeft)
    }

    /// The same, with a budget of directory entries. An archive with more entries exhausts the
    /// budget and is `other`.
    package init(
        _ octets: SpooledBytes, types: TypeMap, limits: ContainerLimits, entriesLeft: inout Int
    ) {
        let kind = (try? ContentHead(of: ByteSource(octets)))?.kind ?? .other
        switch kind {
        case .mail(let format): self = .mail(format)
        case .damagedMail: self = .damagedMail
        case .tar: self = .tar
        case .file(.cms): self = .cms
        case .file(.tnef): self = Contents.winmail(octets)
        case .file(.compoundFile): self = Contents.outlookMessage(octets)
        case .file(let signature):
            if let format = CompressionFormat(signature) {
                self = .compressed(format)
                return
            }
            fallthrough
        case .macBinary, .binHex, .webPage, .empty, .other:
            if let file = MacFile(octets, kind, limit: limits.archive.entry) {
                self = file.dataFork == nil ? .resourceFork : .container([Member(file)], [])
            } else {
                self.init(archive: octets, types, limits, &entriesLeft)
            }
        }
    }

    private init(
        archive octets: SpooledBytes, _ types: TypeMap, _ limits: ContainerLimits,
        _ entriesLeft: inout Int
    ) {
        let container: OpenContainer
        var zip = limits.archive
        zip.entries = min(zip.entries, entriesLeft)
        do throws(ZipError) {
            container = try OpenContainer(octets, zip)
            entriesLeft -= container.archive.entries.count
        } catch {
            switch error {
            case .tooManyEntries where zip.entries < limits.archive.entries:
                entriesLeft = 0
                self = .other(isArchive: true)
            case .archiveTooLarge, .tooManyEntries, .directoryTooLarge: self = .refused(error)
            default: self = .other(isArchive: false)
            }
            return
        }
        if Contents.isPass(container.archive) {
            self = .pass
            return
        }
        let isDocument = Contents.documentFiles.contains { container.archive.contains($0) }
        var members: [Member] = []
        for entry in container.archive.entries where !entry.isDirectory {
            if Contents.isOfInterest(entry, in: container.archive, isDocument, types) {
                members.append(Member(container, entry))
            }
        }
        self = members.isEmpty ? .other(isArchive: true) : .container(members, [])
    }

    /// Every attachment of a TNEF message may be a pass: a message has few attachments, and none is
    /// compressed.
    private static func winmail(_ octets: SpooledBytes) -> Contents {
        guard let message = try? TNEFMessage(octets) else { return .other(isArchive: false) }
        return .container(
            message.attachments.map { Member($0) }, message.problems.map(ContainerProblem.tnef))
    }

    private static func outlookMessage(_ octets: SpooledBytes) -> Contents {
        do throws(FileError) {
            guard let message = try OutlookMessage(octets) else { return .other(isArchive: false) }
            return .container(
                message.attachments.map { Member($0) },
                message.problems.map(ContainerProblem.outlook))
        } catch {
            return .container([], [.unreadable(error)])
        }
    }

    /// Whether pass.json is at the top level, or in the single top-level folder.
    private static func isPass(_ archive: borrowing ZipArchive) -> Bool {
        archive.contains("pass.json") || archive.topFolder(around: "pass.json") != nil
    }

    /// Files that identify Office documents, books and programs: archives of many files that
    /// contain no passes.
    private static let documentFiles = ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"]

    private static func isOfInterest(
        _ entry: ZipEntry, in archive: borrowing ZipArchive, _ isDocument: Bool, _ types: TypeMap
    ) -> Bool {
        // Archives made on a Mac contain `._` files with the metadata of other files.
        let name = entry.name.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...]
        if entry.isOfMac || name.starts(with: "._".utf8) { return false }
        if types.isPassName(String(Substring(name))) { return true }
        if name.suffix(4).map(\.asciiLowercased).elementsEqual(".zip".utf8) { return true }
        guard !isDocument else { return false }
        return contentHead(of: entry, in: archive).kind.mayHoldPasses
    }
}

/// The first bytes of an entry, as many as are needed to recognise it.
private func contentHead(of entry: ZipEntry, in archive: borrowing ZipArchive) -> ContentHead {
    let head = ContentHead(archive.prefix(of: entry, ContentHead.length))
    guard head.isInconclusive else { return head }
    return ContentHead(archive.prefix(of: entry, ContentHead.longLength))
}

/// An archive that stays open until the last of its members is released.
final class OpenContainer {
    let archive: ZipArchive

    init(_ octets: SpooledBytes, _ limits: ZipLimits) throws(ZipError) {
        archive = try ZipArchive(octets, limits: limits)
    }
}
