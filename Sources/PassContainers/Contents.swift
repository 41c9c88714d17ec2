package import Archives
package import Bytes
package import Compression
package import MIME
package import MailSource
package import PassDetection

/// What the bytes of a file or a part are, as far as passes are concerned.
package enum Contents {
    /// An archive with a pass.json: what is in it, the verifier says.
    case pass
    /// What holds passes, or what may hold them: the members to look into, in their order.
    /// With what kept it from being read whole.
    case container([Member], [MIMEProblem])
    /// One file in a compressed form.
    case compressed(CompressionFormat)
    /// A mail, or a mailbox.
    case mail(SourceKind)
    case tar
    /// What belongs to a file of a Mac's and does not hold its data.
    case resourceFork
    /// A message of RFC 5652, around what was signed.
    case cms
    /// An archive that is larger than the limits allow.
    case refused(ZipError)
    /// Nothing of a pass. `archive` says whether it could be opened as a ZIP archive.
    case other(isArchive: Bool)

    /// Looks into octets. Archives that cannot be read, or hold nothing of interest, are `other`.
    package init(
        _ octets: SpooledBytes, types: TypeMap, limits: ContainerLimits = ContainerLimits()
    ) {
        var entriesLeft = limits.entries
        self.init(octets, types: types, limits: limits, entriesLeft: &entriesLeft)
    }

    /// The same, as long as an archive has no more entries than are left: else none is left, and it is
    /// `other`.
    package init(
        _ octets: SpooledBytes, types: TypeMap, limits: ContainerLimits, entriesLeft: inout Int
    ) {
        let prefix = (try? SourceKind.prefix(of: ByteSource(octets))) ?? []
        let signature = FileSignature(prefix.span)
        let kind = Contents.kind(prefix)
        if let format = signature.flatMap(CompressionFormat.init) {
            self = .compressed(format)
        } else if signature == .cms {
            self = .cms
        } else if signature == .tnef {
            self = Contents.winmail(octets)
        } else if signature == .compoundFile {
            self = Contents.outlookMessage(octets)
        } else if TarReader.isArchive(prefix.span) {
            self = .tar
        } else if kind.isMail {
            self = .mail(kind)
        } else if let file = MacFile(octets, signature, prefix.span, limit: limits.archive.entry) {
            self = file.dataFork == nil ? .resourceFork : .container([Member(file)], [])
        } else {
            self.init(archive: octets, types, limits, &entriesLeft)
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

    /// Whatever is attached to a message of Outlook's may be a pass: there are few, and none has to be
    /// inflated.
    private static func winmail(_ octets: SpooledBytes) -> Contents {
        guard let message = try? TNEFMessage(octets) else { return .other(isArchive: false) }
        return .container(message.attachments.map { Member($0) }, message.problems)
    }

    private static func outlookMessage(_ octets: SpooledBytes) -> Contents {
        do throws(FileError) {
            guard let message = try OutlookMessage(octets) else { return .other(isArchive: false) }
            return .container(message.attachments.map { Member($0) }, message.problems)
        } catch {
            let problem = MIMEProblem(
                code: "unreadable", detail: error.description, part: "", isTemporary: true)
            return .container([], [problem])
        }
    }

    /// Whether a pass.json lies at the top, or in the one folder around everything.
    private static func isPass(_ archive: borrowing ZipArchive) -> Bool {
        archive.contains("pass.json") || archive.topFolder(around: "pass.json") != nil
    }

    /// Office files, books and programs are archives of many files, none of which is a pass.
    private static let documentFiles = ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"]

    private static func isOfInterest(
        _ entry: ZipEntry, in archive: borrowing ZipArchive, _ isDocument: Bool, _ types: TypeMap
    ) -> Bool {
        // A Mac's archive holds `._` twins of its files, with their metadata.
        let name = entry.name.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...]
        if entry.isOfMac || name.starts(with: "._".utf8) { return false }
        if types.isPassName(String(Substring(name))) { return true }
        if name.suffix(4).map(\.asciiLowercased).elementsEqual(".zip".utf8) { return true }
        return !isDocument && beginsAsContainer(entry, in: archive)
    }

    /// Whether an entry begins as an archive or a mail does.
    private static func beginsAsContainer(
        _ entry: ZipEntry, in archive: borrowing ZipArchive
    ) -> Bool {
        mayHoldPasses(archive.prefix(of: entry, SourceKind.prefixLength))
    }

    /// Whether something that begins so may hold passes, or be one.
    package static func mayHoldPasses(_ prefix: [UInt8]) -> Bool {
        kind(prefix).isMail || FileSignature(prefix.span) != nil
            || TarReader.isArchive(prefix.span)
    }

    /// What a source is that begins so, also as mail that has to be repaired first.
    private static func kind(_ prefix: [UInt8]) -> SourceKind {
        let repaired = MailRepair.repaired(prefix) ?? prefix
        return SourceKind(repaired.span)
    }
}

/// An archive that stays open as long as one of its members is to be looked into.
final class OpenContainer {
    let archive: ZipArchive

    init(_ octets: SpooledBytes, _ limits: ZipLimits) throws(ZipError) {
        archive = try ZipArchive(octets, limits: limits)
    }
}
