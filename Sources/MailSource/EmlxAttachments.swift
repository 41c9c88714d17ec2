import Glibc
package import Platform

/// The attachments that Apple Mail removed from a message and stored beside it: those of
/// `Messages/12345.partial.emlx` are in `Attachments/12345/1.2/`, one decoded file in a folder for
/// each part, named with the IMAP part number.
///
/// Links are not followed, so that a message cannot refer to other files.
package struct EmlxAttachments: Sendable {
    package struct File: Sendable {
        /// The number of the part to which the body belongs.
        package let part: String
        package let source: SourceFile
    }

    private let messages: Path
    private let attachments: Path
    private let identifier: [UInt8]
    private let isPartial: Bool

    /// Nil if Apple Mail stores no files for the message at this path.
    package init?(of message: Path) {
        guard let name = EmlxName(message.nameBytes) else { return nil }
        messages = message.parent
        identifier = name.identifier
        isPartial = name.isPartial
        guard let folder = EmlxAttachments.folder(besideMessagesIn: messages) else { return nil }
        attachments = folder
        // If both forms of a message exist, the files belong to the partial one.
        if !name.isPartial, EmlxName.isMessage(identifier, isPartial: true, in: messages) {
            return nil
        }
    }

    /// Apple Mail's folder for the attachments of the messages in a folder.
    private static func folder(besideMessagesIn messages: Path) -> Path? {
        if messages.bytes.isEmpty || messages.name == "." {
            // The messages are in the current folder, whatever its name.
            return Path("../Attachments")
        }
        guard messages.name == "Messages" else { return nil }
        return messages.parent.appending(Array("Attachments".utf8))
    }

    /// Folders outside this path that may contain attachments of the message at the path, or of the
    /// messages in it.
    package static func places(beside source: Path) -> [Path] {
        guard let message = EmlxAttachments(of: source) else {
            return folder(besideMessagesIn: source).map { [$0] } ?? []
        }
        let folder = message.messages.bytes.isEmpty ? Path(".") : message.messages
        return [folder, message.attachments.appending(message.identifier)]
    }

    /// Whether files exist beside the message, or should exist because it is partial.
    package var mayHaveFiles: Bool {
        isPartial || attachments.appending(identifier).status(followsLinks: false) != nil
    }

    /// The files in the order of their parts, at most `limit`; `isCut` is true if there are more.
    package func files(limit: Int) throws(FileError) -> (files: [File], isCut: Bool) {
        guard !attachments.isLink else { return ([], false) }
        let folder = attachments.appending(identifier)
        var parts: [PartNumber] = []
        var names = try EmlxAttachments.names(in: folder)
        while let name = names.next() {
            if let part = PartNumber(name) { parts.append(part) }
        }
        parts.sort()
        var files: [File] = []
        for part in parts {
            let folder = folder.appending(Array(part.description.utf8))
            var names = try EmlxAttachments.names(in: folder)
            while let name = names.next() {
                guard let source = EmlxAttachments.file(folder.appending(name)) else { continue }
                guard files.count < limit else { return (files, true) }
                files.append(File(part: part.description, source: source))
            }
        }
        return (files, false)
    }

    /// The body of a part as in the message, still encoded, from a file in Apple Mail's older
    /// format: `Messages/12345.2.emlxpart`.
    package func encodedBody(of part: String) -> SourceFile? {
        let name = identifier + Array(".\(part).emlxpart".utf8)
        return EmlxAttachments.file(messages.appending(name))
    }

    /// The names in a folder; empty if it does not exist.
    private static func names(in folder: Path) throws(FileError) -> DirectoryNames {
        var code: CInt = 0
        let names = DirectoryNames(of: folder, followsLinks: false, code: &code)
        switch code {
        case 0, ENOENT, ENOTDIR, ELOOP: return names
        default: throw FileError(.open, code)
        }
    }

    private static func file(_ path: Path) -> SourceFile? {
        guard let status = path.status(followsLinks: false), status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return SourceFile(
            path: path, stamp: FileStamp(status), isMessage: false, isNamed: false,
            followsLinks: false)
    }
}
