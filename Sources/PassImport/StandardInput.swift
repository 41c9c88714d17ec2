import Bytes
import Glibc
import MailSource
import PassContainers

/// The standard input as a source: one mail, an mbox, or a file.
///
/// A stream has no end that could be waited for, so that an mbox comes in pieces, each brought into
/// the library before the next is read.
///
/// `@unchecked Sendable`: the worker that begins to read hands it over with its first result, and
/// from then on only the one who gathers the results uses it.
final class StandardInput: @unchecked Sendable {
    private let options: ImportOptions
    private var reader = MailReader()
    private var scan: MessageScan
    /// The mbox that is being read; nil before it is known to be one.
    private var mailbox: ByteSource?

    init(_ options: ImportOptions) {
        self.options = options
        scan = MessageScan(options)
        scan.begin(source: "-")
    }

    /// Reads the next piece; its result says whether there is another.
    func read() -> WorkResult {
        var isOver = true
        do throws(FileError) {
            if let mailbox {
                let ends = try reader.readOn(mailbox, count: options.rangeSize) {
                    event, bytes, marks in
                    scan.take(event, bytes, marks, isInMbox: true)
                }
                isOver = ends.stop == nil
            } else {
                isOver = try begin()
            }
        } catch {
            scan.report("unreadable", "\(error)")
        }
        var result = scan.takeResult()
        if !isOver { result.rest = self }
        return result
    }

    /// Sees what the input is, and reads it or its first piece; returns whether that was all.
    private func begin() throws(FileError) -> Bool {
        scan.result.sources = 1
        let stream = FileDescriptor(STDIN_FILENO)
        let prefix = try ByteSource(stream: stream, prefix: []).prefix(SourceKind.prefixLength)
        let source = ByteSource(stream: stream, prefix: prefix)
        let kind = SourceKind(prefix.span)
        if kind != .archive, let mail = try options.repairedMail(source, prefix) {
            try options.scanSource(mail.source, mail.kind, name: "", octets: nil, &reader, &scan)
            return true
        }
        switch kind {
        case .mbox:
            mailbox = source
            let range = 0..<options.rangeSize
            let ends = try reader.readMbox(source, range: range) { event, bytes, marks in
                scan.take(event, bytes, marks, isInMbox: true)
            }
            return ends.stop == nil
        case .message:
            try options.scanSource(source, kind, name: "", octets: nil, &reader, &scan)
        case .archive, .other, .empty:
            let limit = options.containers.standardInput
            guard let octets = try source.octets(limit: limit, options.spool) else {
                scan.report("limit-input", "the input is larger than \(limit >> 20) MiB")
                return true
            }
            try options.scanSource(
                ByteSource(octets), kind, name: "", octets: octets, &reader, &scan)
            // What comes on a pipe is a mail, however odd its first lines are.
            if kind == .other, scan.result.events.isEmpty {
                try options.scanSource(
                    ByteSource(octets), .message, name: "", octets: nil, &reader, &scan)
            }
            if scan.bytesTaken == 0 { scan.result.bytes = octets.count }
        }
        return true
    }
}
