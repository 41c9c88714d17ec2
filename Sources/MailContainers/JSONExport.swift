package import Bytes
package import MIME
import MailSource
package import Platform

/// The files in the strings of JSON texts (RFC 8259), one after the other: exports of the Gmail API
/// (`raw`, `data`), Microsoft Graph (`contentBytes`), HAR (`content`) and the like.
///
///     {"name": "ticket.pkpass", "contentType": "application/vnd.apple.pkpass",
///      "contentBytes": "UEsDBBQAAAAIAA..."}
///
/// A string is a file if it is base64 of a format that may contain passes, or a message, or the
/// JSON text in an envelope of Amazon SNS or SQS. Its name
/// and media type are those in the same or the enclosing object, in any order. Strings are found
/// without a complete grammar, so damaged and truncated texts are read as far as possible.
package struct JSONExport {
    /// Whether all files were returned.
    package var isOver: Bool { isRead && next == found.count }

    /// Whether the text, or a line of a list of texts, ends before it is complete. Known once all
    /// files were returned.
    package var isCut: Bool { isOver && scanner.isCut }

    private let octets: SpooledBytes
    private let isClaim: (PartHeader) -> Bool
    private var scanner: JSONScanner
    private var offset = 0
    private var isRead = false
    /// The files found in the last piece, and the index of the next one to return.
    private var found: [JSONScanner.Found] = []
    private var next = 0

    private static let pieceSize = 64 << 10

    /// - Parameter isClaim: Whether a header claims a pass, so that any base64 is returned.
    package init(
        _ octets: SpooledBytes, limits: JSONLimits = JSONLimits(),
        isClaim: @escaping (PartHeader) -> Bool
    ) {
        self.octets = octets
        self.isClaim = isClaim
        scanner = JSONScanner(limits)
    }

    /// Reads on; nil if this step found no file.
    package mutating func takeNext() throws(FileError) -> EncodedFile? {
        if next == found.count { try readPiece() }
        while next < found.count {
            let file = found[next]
            next += 1
            let header = file.header
            guard file.isRecognised || isClaim(header) else { continue }
            return EncodedFile(header, octets.slice(file.range), file.coding)
        }
        return nil
    }

    private mutating func readPiece() throws(FileError) {
        guard !isRead else { return }
        offset = octets.offset(pastHoleAt: offset)
        let piece = try octets.array(offset..<offset + JSONExport.pieceSize)
        scanner.scan(piece.span, at: offset)
        offset += piece.count
        if piece.isEmpty || offset >= octets.count {
            isRead = true
            scanner.finish(at: offset)
        }
        (found, next) = (scanner.takeFound(), 0)
    }
}

/// Limits for a JSON text.
package struct JSONLimits: Sendable {
    /// Objects and arrays within one another; what is deeper has no names.
    package var depth = 100
    /// The number of files in an object whose names may still follow; more have no names.
    package var unnamed = 1000

    package init() {}
}

/// Finds the strings of JSON texts that may be files. Its memory does not depend on their length.
struct JSONScanner {
    struct Found {
        let range: Range<Int>
        let coding: EncodedFile.Coding
        /// Whether its first bytes are those of a format that may contain passes.
        let isRecognised: Bool
        fileprivate let key: [UInt8]
        fileprivate var labels = Labels()
        /// The number of objects around it that were closed, not counting its own.
        fileprivate var level = 0

        var header: PartHeader {
            var names = labels.name.map { [$0] } ?? []
            names += [labels.url.flatMap(PartHeader.lastComponent(ofURL:))].compactMap(\.self)
            if names.isEmpty, !key.isEmpty { names = [String(streamSafe: key)] }
            return PartHeader(names: names, mediaTypes: labels.type.map { [$0] } ?? [])
        }
    }

    /// What an object says about a file in it.
    fileprivate struct Labels {
        var name: String?
        var type: String?
        var url: String?
    }

    private struct Frame {
        let isObject: Bool
        /// The key of the frame, and that of its next value.
        let key: [UInt8]
        var nextKey: [UInt8] = []
        var isKeyNext: Bool
        var labels = Labels()
        /// The files in this object, and in objects up to two levels below.
        var files: [Found] = []
    }

    /// Whether a text ended within a string, an object or an array.
    private(set) var isCut = false
    private var found: [Found] = []
    private let limits: JSONLimits
    private var frames: [Frame] = []
    /// The number of open brackets beyond the limit.
    private var excess = 0

    /// The string being read: its start, its length, and its first bytes.
    private var start: Int?
    private var length = 0
    private var text: [UInt8] = []
    private var isEscape = false
    /// The last two bytes of the earlier pieces.
    private var tail: (UInt8, UInt8) = (0, 0)

    /// The number of bytes kept of a string: enough for names, and to recognise a file.
    private static let kept = 1024
    /// The length of the shortest file, in digits. The smallest ZIP archive has 22 bytes.
    private static let shortest = 32

    init(_ limits: JSONLimits) { self.limits = limits }

    mutating func takeFound() -> [Found] {
        defer { found = [] }
        return found
    }

    mutating func scan(_ piece: Span<UInt8>, at offset: Int) {
        var index = 0
        // The next quotation mark, so that a string with many escapes is searched only once.
        var quote = -1
        while index < piece.count {
            if start == nil {
                readStructure(piece[index], at: offset + index)
                index += 1
                continue
            }
            if isEscape {
                isEscape = false
                keep(piece, index..<index + 1)
                index += 1
                continue
            }
            if quote < index {
                quote =
                    piece.firstIndex(of: UInt8(ascii: "\""), in: index..<piece.count)
                    ?? piece.count
            }
            let slash = piece.firstIndex(of: UInt8(ascii: "\\"), in: index..<quote)
            let end = slash.map { $0 + 1 } ?? quote
            keep(piece, index..<end)
            index = end
            if slash != nil {
                isEscape = true
            } else if quote < piece.count {
                if beginsNextLine(piece, quote, at: offset) {
                    endCutLine(at: offset + quote)
                } else {
                    endString(at: offset + quote)
                }
                index = quote + 1
            }
        }
        if piece.count > 1 {
            tail = (piece[piece.count - 2], piece[piece.count - 1])
        } else if piece.count == 1 {
            tail = (tail.1, piece[0])
        }
    }

    /// Whether the quote that ends a string follows a line end and a bracket: `\n{"`. In a list of
    /// JSON texts, one per line, the line before was cut within a string, in which RFC 8259, 7
    /// allows no line end.
    private func beginsNextLine(_ piece: Span<UInt8>, _ quote: Int, at offset: Int) -> Bool {
        guard let start, offset + quote - 2 >= start else { return false }
        let bracket = quote > 0 ? piece[quote - 1] : tail.1
        let lineEnd = quote > 1 ? piece[quote - 2] : quote == 1 ? tail.1 : tail.0
        return bracket == UInt8(ascii: "{") && lineEnd == 0x0A
    }

    /// Ends a line that was cut, and begins the next one, whose first key begins after `quote`.
    private mutating func endCutLine(at quote: Int) {
        isCut = true
        length -= 2
        if text.count > length { text.removeLast(text.count - length) }
        endString(at: quote - 2)
        excess = 0
        while !frames.isEmpty { close() }
        readStructure(UInt8(ascii: "{"), at: quote - 1)
        readStructure(UInt8(ascii: "\""), at: quote)
    }

    /// Ends a truncated text.
    mutating func finish(at end: Int) {
        isCut = isCut || start != nil || !frames.isEmpty
        if start != nil { endString(at: end) }
        while !frames.isEmpty { close() }
    }

    private mutating func keep(_ piece: Span<UInt8>, _ range: Range<Int>) {
        length += range.count
        for index in range.prefix(JSONScanner.kept - text.count) { text.append(piece[index]) }
    }

    private mutating func readStructure(_ byte: UInt8, at offset: Int) {
        switch byte {
        case UInt8(ascii: "\""):
            start = offset + 1
            length = 0
            text.removeAll(keepingCapacity: true)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard frames.count < limits.depth else {
                excess += 1
                return
            }
            let isObject = byte == UInt8(ascii: "{")
            frames.append(
                Frame(
                    isObject: isObject, key: frames.last?.nextKey ?? [], isKeyNext: isObject))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if excess > 0 { excess -= 1 } else { close() }
        case UInt8(ascii: ":") where excess == 0 && !frames.isEmpty:
            frames[frames.count - 1].isKeyNext = false
        case UInt8(ascii: ",") where excess == 0 && !frames.isEmpty:
            frames[frames.count - 1].isKeyNext = frames[frames.count - 1].isObject
        default:
            break
        }
    }

    private mutating func endString(at end: Int) {
        guard let start = start.take() else { return }
        let isInFrame = excess == 0 && !frames.isEmpty
        let last = frames.count - 1
        if isInFrame, frames[last].isKeyNext {
            frames[last].nextKey = length <= 32 ? text.map(\.asciiLowercased) : []
            return
        }
        let key = isInFrame && frames[last].isObject ? frames[last].nextKey : []
        if isInFrame, frames[last].isObject, length == text.count {
            frames[last].labels.take(key, text)
        }
        guard length >= JSONScanner.shortest,
            let file = JSONScanner.file(text, start..<end, key)
        else { return }
        // An array has no labels, and may contain any number of strings.
        if isInFrame, frames[last].isObject, frames[last].files.count < limits.unnamed {
            frames[last].files.append(file)
        } else {
            found.append(file)
        }
    }

    /// Closes an object or array, and labels the files in it.
    private mutating func close() {
        guard var frame = frames.popLast() else { return }
        let labels = frame.labels
        for index in frame.files.indices {
            var own = frame.files[index].labels
            if frame.files[index].level < 2 {
                own.name = own.name ?? labels.name
                own.type = own.type ?? labels.type
            }
            own.url = own.url ?? labels.url
            frame.files[index].labels = own
            frame.files[index].level += 1
        }
        let last = frames.count - 1
        let isLabelled = frame.isObject && last >= 0 && frames[last].isObject
        // In HAR, the URL is beside the response.
        if isLabelled, frame.key.elementsEqual("request".utf8), let url = labels.url {
            frames[last].labels.url = url
        }
        for file in frame.files {
            if isLabelled, file.level <= 2, frames[last].files.count < limits.unnamed {
                frames[last].files.append(file)
            } else {
                found.append(file)
            }
        }
    }

    /// The keys under which base64 is a file, whatever it contains, if the header claims a pass.
    private static let keys = ["contentbytes", "data", "content", "text", "base64", "bytes"].map {
        Array($0.utf8)
    }

    /// The keys of JSON texts in queues: Amazon SNS and SQS put what Amazon SES says of a message
    /// into a string.
    private static let envelopeKeys = ["message", "body"].map { Array($0.utf8) }

    /// The file in a string that begins with `text`; nil if it is none.
    private static func file(_ text: [UInt8], _ range: Range<Int>, _ key: [UInt8]) -> Found? {
        var start = 0
        if text.span.hasPrefix(caseInsensitive: "data:", at: 0) {
            start = text.firstIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0
        }
        let value = Array(text[start...])
        if mayBeBase64(value) {
            let isRecognised = mayHoldPasses(EncodedFile.decoded(value, .base64InJSON))
            guard isRecognised || keys.contains(key) else { return nil }
            return Found(
                range: range.dropFirst(start), coding: .base64InJSON, isRecognised: isRecognised,
                key: key)
        }
        guard value.contains(UInt8(ascii: "\\")) else { return nil }
        let plain = EncodedFile.decoded(value, .textInJSON)
        guard
            envelopeKeys.contains(key) && TextSignature(plain.span) == .json
                || plain.contains(0x0A) && MailFormat(plain.span) != nil
        else { return nil }
        return Found(range: range, coding: .textInJSON, isRecognised: true, key: key)
    }

    private static func mayHoldPasses(_ start: [UInt8]) -> Bool {
        ContentKind(start.span).mayHoldPasses
    }

    /// Whether all bytes may be base64 in a JSON string: the digits of both alphabets, and escapes
    /// of `/`, `=` and line ends.
    private static func mayBeBase64(_ text: [UInt8]) -> Bool {
        text.allSatisfy { byte in
            Base64.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "\\") || byte.isWhiteSpace
        }
    }
}

extension JSONScanner.Labels {
    /// Takes the value of a key, in lower case, if it is a label.
    fileprivate mutating func take(_ key: [UInt8], _ value: [UInt8]) {
        switch key.count {
        case 3 where key.elementsEqual("url".utf8):
            url = JSONScanner.Labels.text(value)
        case 4 where key.elementsEqual("name".utf8),
            8 where key.elementsEqual("filename".utf8),
            9 where key.elementsEqual("file_name".utf8):
            name = PartHeader.fileName(JSONScanner.Labels.text(value))
        case 8 where key.elementsEqual("mimetype".utf8),
            9 where key.elementsEqual("mime_type".utf8) || key.elementsEqual("mediatype".utf8),
            11 where key.elementsEqual("contenttype".utf8),
            12
        where key.elementsEqual("content_type".utf8)
            || key.elementsEqual("content-type".utf8):
            let header = PartHeader(
                contentType: JSONScanner.Labels.text(value), contentDisposition: nil)
            type = header.mediaTypes.first
            name = name ?? header.names.first
        default: break
        }
    }

    private static func text(_ value: [UInt8]) -> String {
        Charset.guess(EncodedFile.decoded(value, .textInJSON))
    }
}
