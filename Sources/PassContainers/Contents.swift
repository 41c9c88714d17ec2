package import Archives
package import Bytes
package import Compression
package import MIME
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
    case container(Members, [ContainerProblem])
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
    /// budget and is `other`. `texts` are the bodies of Outlook's messages that are members.
    package init(
        _ octets: SpooledBytes, _ hint: ContentKind.Hint, types: TypeMap, limits: ContainerLimits,
        texts: WantedText = .withFiles, entriesLeft: inout Int
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
            var list = try PropertyListFile(octets) {
                types.declaration($0).mayHoldPasses($1) || TextForm(page: $0) != nil
            }
            self = try Contents.container(
                Members { () throws(FileError) in
                    guard !list.isOver else { return .end }
                    return try list.takeNext().map { .member(Member($0, types)) } ?? .nothing
                })
        case .file(.tnef): self = try Contents.winmail(octets, types, texts)
        case .file(.compoundFile): self = try Contents.outlookMessage(octets, types, texts)
        case .pdf:
            let document = try Contents.document(octets, types)
            if case .other = document {
                try self.init(archive: octets, isZip: false, types, limits, &entriesLeft)
            } else {
                self = document
            }
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
            if let mac = try Contents.macFile(octets, kind, types, limits.archive.entry) {
                self = mac
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
        guard isZip || octets.count >= ZipArchive.smallest else {
            self = .other(isArchive: false)
            return
        }
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
        if ["order.json", "manifest.json", "signature"].allSatisfy(archive.contains) {
            self = .unread(.appleOrder)
            return
        }
        let members = Contents.members(of: archive, types)
        self = try members.mayHaveAny() ? .container(members, []) : .other(isArchive: true)
    }

    /// The members of an archive that may be or hold passes.
    ///
    /// - Parameters:
    ///   - folder: The folder of a pass whose own files are left out.
    ///   - onlyClaims: Whether to leave out members that are not named as passes.
    private static func members(
        of archive: ZipArchive, _ types: TypeMap, besidePassIn folder: EntryName? = nil,
        onlyClaims: Bool = false
    ) -> Members {
        let isDocument = documentFiles.contains { archive.contains($0) }
        var passes =
            onlyClaims ? [] : unpackedPasses(in: archive, types, leavingOut: folder)[...]
        var next = 0
        return Members { () throws(FileError) in
            if let pass = passes.popFirst() { return .member(pass) }
            guard next < archive.entries.count else { return .end }
            for entry in archive.entries[next...].prefix(100) {
                next += 1
                guard !entry.isDirectory else { continue }
                let path = PassFolderPath(entry.name)
                if path.folder == folder, !path.marks.isEmpty { continue }
                if onlyClaims, !types.declaration(ofMember: entry.name).isClaim { continue }
                guard
                    let declaration = try declaration(of: entry, in: archive, isDocument, types)
                else { continue }
                return .member(Member(archive, entry, declaration))
            }
            return .nothing
        }
    }

    /// The members beside the files of a pass in its archive; nil if none may be or hold a pass.
    ///
    /// - Parameter onlyClaims: Whether to leave out members that are not named as passes.
    package static func members(
        besidePassIn archive: ZipArchive, types: TypeMap, onlyClaims: Bool
    ) throws(FileError) -> Members? {
        let members = members(
            of: archive, types, besidePassIn: folderOfPass(in: archive), onlyClaims: onlyClaims)
        return try members.mayHaveAny() ? members : nil
    }

    /// Whether an archive has a pass.json, but no other file of a pass.
    package static func isPassStray(in archive: ZipArchive) -> Bool {
        let folder = folderOfPass(in: archive)
        return !archive.entries.contains { entry in
            let path = PassFolderPath(entry.name)
            let name = path.file.text.utf8
            return path.folder == folder && !entry.isDirectory
                && (!path.marks.isDisjoint(with: [.manifest, .signature])
                    || name.suffix(4).elementsEqual(".png".utf8)
                    || name.suffix(8).elementsEqual(".strings".utf8))
        }
    }

    private static func folderOfPass(in archive: ZipArchive) -> EntryName {
        EntryName(archive.topFolder(around: "pass.json") ?? "")
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

    /// A Mac file; nil if it is none.
    private static func macFile(
        _ octets: SpooledBytes, _ kind: ContentKind, _ types: TypeMap, _ limit: Int
    ) throws(FileError) -> Contents? {
        do throws(MacFileError) {
            guard let file = try MacFile(octets, kind, limit: limit) else { return nil }
            return file.dataFork == nil
                ? .resourceFork : .container(Members([Member(file, types)]), [])
        } catch {
            switch error {
            case .tooLarge(let name, let limit):
                return .refused(.entryTooLarge(name: name ?? "", limit: limit))
            case .file(let error): throw error
            case .notOfForm, .truncated: return nil
            }
        }
    }

    /// Every attachment of a TNEF message may be a pass: a message has few attachments, and none is
    /// compressed.
    private static func winmail(
        _ octets: SpooledBytes, _ types: TypeMap, _ texts: WantedText
    ) throws(FileError) -> Contents {
        do throws(TNEFError) {
            let message = try TNEFMessage(octets, texts: texts)
            return .container(
                Members(message.attachments.map { Member($0, types) }),
                message.problems.map(ContainerProblem.tnef))
        } catch {
            switch error {
            case .notTNEF: return .other(isArchive: false)
            case .file(let error): throw error
            }
        }
    }

    private static func outlookMessage(
        _ octets: SpooledBytes, _ types: TypeMap, _ texts: WantedText
    ) throws(FileError) -> Contents {
        guard let message = try OutlookMessage(octets, texts: texts) else {
            return .other(isArchive: false)
        }
        return .container(
            Members(message.attachments.map { Member($0, types) }),
            message.problems.map(ContainerProblem.outlook))
    }

    /// The attachments of a document that may be or hold passes; most are invoices in XML.
    private static func document(
        _ octets: SpooledBytes, _ types: TypeMap
    ) throws(FileError) -> Contents {
        var document = PDFFile(octets)
        /// Each costs a decompressor; later files are members without being looked at.
        var inspections = 1000
        return try container(
            Members { () throws(FileError) in
                guard !document.isOver else { return .end }
                guard let file = try document.takeNext() else { return .nothing }
                let format = file.isDeflated ? CompressionFormat.zlib : nil
                inspections -= 1
                guard inspections >= 0 else {
                    return .member(Member(file.octets, format, types.declaration(file.header)))
                }
                let bytes = ByteSource(file.octets)
                let head = try ContentHead(
                    of: format.map { ByteSource(stream: Decompressor(bytes, $0)) } ?? bytes,
                    file.header.contentHint.union(.isFile))
                let declaration = types.declaration(file.header)
                return declaration.mayHoldPasses(head.kind)
                    ? .member(Member(file.octets, format, declaration)) : .nothing
            })
    }

    /// The files in the values of a text.
    private static func text(
        _ octets: SpooledBytes, _ signature: TextSignature, _ types: TypeMap
    ) throws(FileError) -> Contents {
        let members: Members
        switch signature {
        case .json:
            var export = JSONExport(octets) { types.declaration($0).isClaim }
            var isCutReported = false
            members = Members { () throws(FileError) in
                guard !export.isOver else {
                    guard export.isCut, !isCutReported else { return .end }
                    isCutReported = true
                    return .problem(.jsonTruncated)
                }
                return try export.takeNext().map { .member(Member($0, types)) } ?? .nothing
            }
        case .calendar:
            var file = CalendarFile(octets) { types.declaration($0).mayHoldPasses($1) }
            members = Members { () throws(FileError) in
                guard !file.isOver else { return .end }
                return try file.takeNext().map { .member(Member($0, types)) } ?? .nothing
            }
        case .propertyList:
            var list = XMLPropertyListFile(octets) {
                types.declaration($0).mayHoldPasses($1) || TextForm(page: $0) != nil
            }
            members = Members { () throws(FileError) in
                guard !list.isOver else { return .end }
                return try list.takeNext().map { .member(Member($0, types)) } ?? .nothing
            }
        case .httpResponse:
            let response = try HTTPResponse(octets).map { Member($0, types) }
            // Most responses are pages.
            members = Members(
                [response].compactMap(\.self).filter {
                    $0.unreadFormat == nil || $0.declaration.mayHoldPasses(.other)
                        || $0.declaration.header.saysNothingOfContents
                })
        }
        return try container(members)
    }

    /// A container with these members; `other` if there is none.
    private static func container(_ members: Members) throws(FileError) -> Contents {
        try members.mayHaveAny() ? .container(members, []) : .other(isArchive: false)
    }

    /// Whether pass.json is at the top level, or in the single top-level folder.
    private static func isPass(_ archive: ZipArchive) -> Bool {
        archive.contains("pass.json") || archive.topFolder(around: "pass.json") != nil
    }

    /// The folders of an archive that hold the files of a pass each.
    private static func unpackedPasses(
        in archive: ZipArchive, _ types: TypeMap, leavingOut own: EntryName?
    ) -> [Member] {
        var marks: [EntryName: PassFolderPath.Marks] = [:]
        var folders: [EntryName] = []
        for entry in archive.entries {
            let path = PassFolderPath(entry.name)
            guard !path.marks.isEmpty, !entry.isDirectory, path.folder != own else { continue }
            marks[path.folder, default: []].formUnion(path.marks)
            if path.marks == .pass { folders.append(path.folder) }
        }
        var files: [EntryName: [EntryName: ZipEntry]] = [:]
        for entry in archive.entries where !folders.isEmpty && !entry.isDirectory {
            let path = PassFolderPath(entry.name)
            guard marks[path.folder]?.arePass(isNamedPass: path.isNamedPass) == true else {
                continue
            }
            files[path.folder, default: [:]][path.file] = entry
        }
        return folders.compactMap { folder in
            files.removeValue(forKey: folder).map {
                Member(archive, $0, folder.text, types.declaration(ofMember: folder.text))
            }
        }
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
        // A page may hold a pass in a URL anywhere in it.
        if TextForm(page: declaration.header) != nil { return declaration }
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
