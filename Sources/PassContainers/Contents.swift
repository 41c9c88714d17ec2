package import Archives
package import Bytes
package import Compression
import MIME
package import MailContainers
package import MailSource
package import PassDetection
package import Platform

/// The kind of a file or part, with regard to passes.
package enum Contents {
    /// An archive with a pass.json, for the verifier.
    case pass(ZipArchive)
    /// A container of passes or possible passes: the members to examine, in order, and the problems
    /// with reading it.
    case container([Member], [ContainerProblem])
    /// A single compressed file.
    case compressed(CompressionFormat)
    /// A message or mailbox.
    case mail(MailFormat)
    /// Mail that ``MailRepair`` must convert first.
    case damagedMail
    case archive(ArchiveFormat)
    /// Several ZIP archives after one another (VIOLATIONS.md, Z16).
    case archives([SpooledBytes])
    /// VIOLATIONS.md, Z15: a ZIP archive that is truncated or damaged, for the reason given. Its
    /// members are found by their local headers. Intact archives begin at `starts`, unless they are
    /// within members.
    case damagedArchive(ZipError, starts: [Int])
    /// A Mac file without its data fork.
    case resourceFork
    /// A CMS message (RFC 5652).
    case cms
    /// Recognised, but not read.
    case unread(UnreadFormat)
    /// An OpenPGP message (RFC 9580).
    case openPGP
    /// An archive that exceeds the limits.
    case refused(ZipError)
    /// Not related to passes. `archive` is true if it could be opened as a ZIP archive.
    case other(isArchive: Bool)

    /// Examines octets. Archives that are unreadable, or contain nothing of interest, are `other`.
    package init(
        _ octets: SpooledBytes, _ hint: ContentKind.Hint = [], types: TypeMap,
        limits: ContainerLimits = ContainerLimits()
    ) throws(FileError) {
        var entriesLeft = limits.entries
        try self.init(octets, hint, types: types, limits: limits, entriesLeft: &entriesLeft)
    }

    /// The same, with a budget of directory entries. An archive with more entries exhausts the
    /// budget and is `other`.
    package init(
        _ octets: SpooledBytes, _ hint: ContentKind.Hint, types: TypeMap, limits: ContainerLimits,
        entriesLeft: inout Int
    ) throws(FileError) {
        let kind = try ContentHead(of: ByteSource(octets), hint).kind
        switch kind {
        case .mail(let format): self = .mail(format)
        case .damagedMail: self = .damagedMail
        case .tar: self = .archive(.tar)
        case .warc: self = .archive(.warc)
        case .unread(let format): self = .unread(format)
        case .text(let signature): self = try Contents.text(octets, signature, types)
        case .file(.cms): self = .cms
        case .file(.openPGP): self = .openPGP
        case .file(.propertyList):
            let list = try PropertyListFile(octets) { types.declaration($0).mayHoldPasses($1) }
            self = Contents.container(list.files.map { Member($0, types) })
        case .file(.tnef): self = try Contents.winmail(octets, types)
        case .file(.compoundFile): self = try Contents.outlookMessage(octets, types)
        case .file(let signature):
            if let format = CompressionFormat(signature) {
                self = .compressed(format)
                return
            }
            if let format = ArchiveFormat(signature) {
                self = .archive(format)
                return
            }
            fallthrough
        case .macBinary, .binHex, .webPage, .empty, .other:
            if let file = try MacFile(octets, kind, limit: limits.archive.entry) {
                self = file.dataFork == nil ? .resourceFork : .container([Member(file, types)], [])
            } else {
                let isZip = kind == .file(.zip)
                try self.init(archive: octets, isZip: isZip, types, limits, &entriesLeft)
            }
        }
    }

    /// A pass in octets that are said to be one, but begin like something else.
    package static func pass(
        in octets: SpooledBytes, limits: ContainerLimits
    ) throws(FileError) -> Contents? {
        do throws(ZipError) {
            let archive = try ZipArchive(octets, limits: limits.archive)
            return isPass(archive) ? .pass(archive) : nil
        } catch {
            if case .file(let error) = error { throw error }
            return nil
        }
    }

    private init(
        archive octets: SpooledBytes, isZip: Bool, _ types: TypeMap, _ limits: ContainerLimits,
        _ entriesLeft: inout Int
    ) throws(FileError) {
        let archive: ZipArchive
        var zip = limits.archive
        zip.entries = min(zip.entries, entriesLeft)
        do throws(ZipError) {
            archive = try ZipArchive(octets, limits: zip)
            entriesLeft -= archive.entries.count
        } catch {
            switch error {
            case .tooManyEntries where zip.entries < limits.archive.entries:
                entriesLeft = 0
                self = .other(isArchive: true)
            case .archiveTooLarge, .tooManyEntries, .directoryTooLarge: self = .refused(error)
            case .file(let error): throw error
            default:
                let holdsFiles = try Contents.beginsWithFile(octets)
                self =
                    isZip && holdsFiles
                    ? .damagedArchive(error, starts: []) : .other(isArchive: false)
            }
            return
        }
        if isZip, try archive.followsAnother {
            self = try Contents.several(octets, archive, zip)
            return
        }
        if Contents.isPass(archive) {
            self = .pass(archive)
            return
        }
        let isDocument = Contents.documentFiles.contains { archive.contains($0) }
        var members: [Member] = []
        for entry in archive.entries where !entry.isDirectory {
            let declaration = try Contents.declaration(of: entry, in: archive, isDocument, types)
            if let declaration { members.append(Member(archive, entry, declaration)) }
        }
        self = members.isEmpty ? .other(isArchive: true) : .container(members, [])
    }

    /// The archives in octets that begin with a local header and end with this archive.
    private static func several(
        _ octets: SpooledBytes, _ end: ZipArchive, _ limits: ZipLimits
    ) throws(FileError) -> Contents {
        guard try Contents.beginsWithFile(octets) else { return .other(isArchive: false) }
        // Each attempt reads a directory, so their number is limited.
        var starts = [end.leadingCount]
        while let last = starts.last, last > 0, starts.count < 100 {
            do throws(ZipError) {
                let archive = try ZipArchive(octets.slice(0..<last), limits: limits)
                starts.append(archive.leadingCount)
            } catch {
                if case .file(let error) = error { throw error }
                // Not an archive of its own, but entries that the pass's directory does not list.
                if starts.count == 1, Contents.isPass(end),
                    (try? end.refuseUnsafe())?.hides("pass.json") != nil
                {
                    return .pass(end)
                }
                return .damagedArchive(.notAnArchive, starts: starts.reversed())
            }
        }
        // If there are more, they are one item, which is divided again.
        if starts.last != 0 { starts.append(0) }
        let ends = [octets.count] + starts
        return .archives(zip(starts, ends).map { octets.slice($0..<$1) }.reversed())
    }

    /// Whether the octets begin with a local header, and not with that of a document.
    private static func beginsWithFile(_ octets: SpooledBytes) throws(FileError) -> Bool {
        do throws(ZipError) {
            guard let name = try ZipArchive.firstName(in: octets) else { return false }
            return !documentFiles.contains(name) && !name.utf8.starts(with: "META-INF/".utf8)
        } catch {
            if case .file(let error) = error { throw error }
            return false
        }
    }

    /// Every attachment of a TNEF message may be a pass: a message has few attachments, and none is
    /// compressed.
    private static func winmail(_ octets: SpooledBytes, _ types: TypeMap) throws(FileError)
        -> Contents
    {
        do throws(TNEFError) {
            let message = try TNEFMessage(octets)
            return .container(
                message.attachments.map { Member($0, types) },
                message.problems.map(ContainerProblem.tnef))
        } catch {
            switch error {
            case .notTNEF: return .other(isArchive: false)
            case .file(let error): throw error
            }
        }
    }

    private static func outlookMessage(_ octets: SpooledBytes, _ types: TypeMap) throws(FileError)
        -> Contents
    {
        guard let message = try OutlookMessage(octets) else { return .other(isArchive: false) }
        return .container(
            message.attachments.map { Member($0, types) },
            message.problems.map(ContainerProblem.outlook))
    }

    /// The files in the values of a text.
    private static func text(
        _ octets: SpooledBytes, _ signature: TextSignature, _ types: TypeMap
    ) throws(FileError) -> Contents {
        let members: [Member]
        switch signature {
        case .json:
            let export = try JSONExport(octets) { types.declaration($0).isClaim }
            members = export.files.map { Member($0, types) }
        case .calendar:
            let file = try CalendarFile(octets) { types.declaration($0).mayHoldPasses($1) }
            members = file.files.map { Member($0, types) }
        case .httpResponse:
            let response = try HTTPResponse(octets).map { Member($0, types) }
            // Most responses are pages.
            members = [response].compactMap(\.self).filter {
                $0.unreadFormat == nil || $0.declaration.mayHoldPasses(.other)
                    || $0.declaration.header.saysNothingOfContents
            }
        }
        return .container(members)
    }

    /// A container with these members; `other` if there is none.
    private static func container(_ members: [Member]) -> Contents {
        members.isEmpty ? .other(isArchive: false) : .container(members, [])
    }

    /// Whether pass.json is at the top level, or in the single top-level folder.
    private static func isPass(_ archive: ZipArchive) -> Bool {
        archive.contains("pass.json") || archive.topFolder(around: "pass.json") != nil
    }

    /// Files that identify Office documents, books and programs: archives of many files that
    /// contain no passes.
    private static let documentFiles = ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"]

    /// What the name of an entry declares; nil if the entry is of no interest.
    private static func declaration(
        of entry: ZipEntry, in archive: ZipArchive, _ isDocument: Bool, _ types: TypeMap
    ) throws(FileError) -> Declaration? {
        // Windows programs may write folders with a backslash.
        if entry.size == 0, entry.name.utf8.last == UInt8(ascii: "\\") { return nil }
        let declaration = types.declaration(ofMember: entry.name)
        // Archives made on a Mac contain `._` files with the metadata of other files.
        let isTwin = declaration.header.names.contains { $0.utf8.starts(with: "._".utf8) }
        if entry.isOfMac || isTwin { return nil }
        // Its contents are inflated only if the name says nothing.
        if declaration.mayHoldPasses(.other) { return declaration }
        guard !isDocument else { return nil }
        if entry.isEncrypted { return declaration }
        let hint = declaration.header.contentHint.union(.isFile)
        let kind = try contentHead(of: entry, in: archive, hint).kind
        return declaration.mayHoldPasses(kind) ? declaration : nil
    }
}

/// The first bytes of an entry, as many as are needed to recognise it.
private func contentHead(
    of entry: ZipEntry, in archive: ZipArchive, _ hint: ContentKind.Hint
) throws(FileError) -> ContentHead {
    let head = ContentHead(try archive.prefix(of: entry, ContentHead.length), hint)
    guard head.isInconclusive else { return head }
    return ContentHead(try archive.prefix(of: entry, ContentHead.longLength), hint)
}
