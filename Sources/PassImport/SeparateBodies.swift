import Bytes
import MIME
import MailSource

/// The bodies that Apple Mail keeps beside a message, while its parts are read.
struct SeparateBodies {
    /// What was read of the message, once that is known.
    var message: MessageReference?

    /// The body of a part that the message itself lacks.
    enum Body {
        /// Decoded, in a file of its own.
        case file(SourceFile)
        /// As it stood in the message.
        case part(CollectedPart)
    }

    private let attachments: EmlxAttachments
    private let options: ImportOptions
    /// Read when they are first asked for.
    private var list: List?
    /// The parts whose bodies stood in the message.
    private var present: Set<String> = []
    /// The files that were handed over, by their places in the list.
    private var taken: Set<Int> = []
    /// Of the file that is next when the parts are done.
    private var location = 0

    private struct List {
        let files: [EmlxAttachments.File]
        let isCut: Bool
        /// The files of each part, by their places.
        let locations: [String: [Int]]
    }

    init(_ attachments: EmlxAttachments, _ options: ImportOptions) {
        self.attachments = attachments
        self.options = options
    }

    /// The body of a part of the message; nil where the message has it, or nobody.
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
        // A folder has one file, and others by accident.
        let named = locations.first { part.header.names.contains(list.files[$0].source.path.name) }
        let visible = locations.first { !list.files[$0].source.path.name.hasPrefix(".") }
        guard let found = named ?? visible else { return nil }
        taken.insert(found)
        return .file(list.files[found].source)
    }

    /// A file of which no part told.
    enum Rest {
        case file(EmlxAttachments.File)
        /// There are more than are read.
        case cut(limit: Int)
    }

    /// The next file that belongs to no part that was asked for, and to none that the message has.
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
