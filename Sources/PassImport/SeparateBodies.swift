import Bytes
import MIME
import MailSource
import PassDetection
import Platform

/// The bodies that Apple Mail stores beside a message.
struct SeparateBodies {
    /// The message, once it is known.
    private(set) var message: MessageReference?

    /// A body missing in the message itself.
    enum Body {
        /// Decoded, in its own file.
        case file(SourceFile)
        /// Encoded as in the message.
        case part(CollectedPart)
    }

    private let attachments: EmlxAttachments
    private let options: ImportOptions
    /// Read on first use.
    private var list: List?
    /// The parts with a body in the message.
    private var present: Set<String> = []
    /// The indices of files already returned.
    private var taken: Set<Int> = []
    /// The index of the next file after the parts.
    private var location = 0

    private struct List {
        let files: [EmlxAttachments.File]
        let isCut: Bool
        /// The indices of the files of each part.
        let locations: [String: [Int]]
    }

    init(_ attachments: EmlxAttachments, _ options: ImportOptions) {
        self.attachments = attachments
        self.options = options
    }

    mutating func begin(_ message: MessageReference) { self.message = message }

    /// The body of a part; nil if it is in the message, or missing.
    mutating func body(of part: CollectedPart) throws(FileError) -> Body? {
        guard part.isEmpty else {
            present.insert(part.number)
            return nil
        }
        if let file = attachments.encodedBody(of: part.number) {
            let open = try file.open()
            defer { open.descriptor.close() }
            let octets = try open.bytes.octets(limit: options.mime.partBody, options.spool)
            if let octets { return .part(part.withBody(octets)) }
        }
        let list = try readList()
        let locations = (list.locations[part.number] ?? []).filter { !taken.contains($0) }
        // A folder should contain one file.
        let named = locations.first { part.header.names.contains(list.files[$0].source.path.name) }
        let visible = locations.first { !list.files[$0].source.path.name.hasPrefix(".") }
        guard let found = named ?? visible else { return nil }
        taken.insert(found)
        return .file(list.files[found].source)
    }

    /// A file that belongs to no part.
    enum Rest {
        case file(EmlxAttachments.File)
        /// There are more than the limit.
        case cut(limit: Int)
    }

    /// The next file that belongs to no part read so far.
    mutating func next() throws(FileError) -> Rest? {
        let list = try readList()
        while location < list.files.count {
            defer { location += 1 }
            guard !taken.contains(location), !present.contains(list.files[location].part) else {
                continue
            }
            return .file(list.files[location])
        }
        return list.isCut ? .cut(limit: options.mime.parts) : nil
    }

    private mutating func readList() throws(FileError) -> List {
        if let list { return list }
        let (files, isCut) = try attachments.files(limit: options.mime.parts)
        let locations = Dictionary(grouping: files.indices) { files[$0].part }
        let list = List(files: files, isCut: isCut, locations: locations)
        self.list = list
        return list
    }
}
