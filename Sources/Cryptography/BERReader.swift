import Bytes
import Platform

/// Reads values in the Basic Encoding Rules (X.690, 8.1), a superset of DER.
///
/// Holds a window of the octets, reads forward only, and does not recurse.
struct BERReader {
    /// The end of a value's contents.
    enum End {
        case at(Int)
        /// At an end-of-contents marker (two zeros).
        case marked
    }

    /// Tags, including the bit for constructed encoding.
    enum Tag {
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let constructedOctetString: UInt8 = 0x24
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
        /// `[0]`, explicit.
        static let explicit: UInt8 = 0xa0
        /// `[0]` and `[1]`, implicit for a SET.
        static let certificates: UInt8 = 0xa0
        static let revocations: UInt8 = 0xa1
    }

    private(set) var position = 0
    private let octets: SpooledBytes
    private var window: [UInt8] = []
    private var windowStart = 0

    init(_ octets: SpooledBytes) {
        self.octets = octets
    }

    /// The tag of the next value; nil at the end of the octets.
    mutating func tag() throws(CMSError) -> UInt8? {
        try look(ahead: 0)
    }

    /// Enters a value with this tag; returns its end, which may be beyond the octets.
    mutating func enter(_ tag: UInt8) throws(CMSError) -> End {
        guard try self.tag() == tag else { throw .damaged(offset: position) }
        return try enter()
    }

    /// Whether the value was read completely. Throws if the position is past its end.
    mutating func isAt(_ end: End) throws(CMSError) -> Bool {
        switch end {
        case .at(let end):
            guard position <= end else { throw .damaged(offset: position) }
            return position == end
        case .marked:
            guard let first = try look(ahead: 0), let second = try look(ahead: 1) else {
                throw .damaged(offset: position)
            }
            return first == 0 && second == 0
        }
    }

    /// Whether the position is within the octets; a length may point beyond them.
    var isInside: Bool { position <= octets.count }

    /// Leaves a value that was read completely.
    mutating func leave(_ end: End) throws(CMSError) {
        guard try isAt(end) else { throw .damaged(offset: position) }
        if case .marked = end { position += 2 }
    }

    /// Skips a value with this tag.
    mutating func skip(_ tag: UInt8) throws(CMSError) {
        guard try self.tag() == tag else { throw .damaged(offset: position) }
        try skip()
    }

    /// Skips a value with any tag.
    mutating func skip() throws(CMSError) {
        // Only values of indefinite length must be traversed, and they end in reverse order of
        // nesting, so counting the open ones suffices.
        var open = 0
        repeat {
            if open > 0, try isAt(.marked) {
                position += 2
                open -= 1
            } else if case .at(let end) = try enter() {
                position = end
            } else {
                open += 1
            }
        } while open > 0
    }

    /// The contents of a short value, such as an object identifier.
    mutating func bytes(of tag: UInt8) throws(CMSError) -> [UInt8] {
        let start = position
        guard case .at(let end) = try enter(tag), end - position < 0x80 else {
            throw .damaged(offset: start)
        }
        var bytes: [UInt8] = []
        while position < end { bytes.append(try next()) }
        return bytes
    }

    /// Copies the contents up to the end of a definite-length value.
    mutating func copy(to end: Int, into writer: inout OctetsWriter) throws(CMSError) {
        while position < end {
            guard try look(ahead: 0) != nil else { throw .damaged(offset: position) }
            let start = position - windowStart
            let count = min(window.count - start, end - position)
            do throws(FileError) {
                try writer.append(window.span.extracting(start..<start + count))
            } catch {
                throw .file(error)
            }
            position += count
        }
    }

    private mutating func enter() throws(CMSError) -> End {
        let start = position
        let tag = try next()
        // X.690, 8.1.2.4: a tag above 30 continues while the highest bit is set.
        if tag & 0x1f == 0x1f { while try next() & 0x80 != 0 {} }
        let first = try next()
        if first == 0x80 {
            guard tag & 0x20 != 0 else { throw .damaged(offset: start) }
            return .marked
        }
        var count = Int(first)
        if first > 0x80 {
            // X.690, 8.1.3.5 c, reserves 0xff. OpenSSL reads at most eight octets after zeros, of
            // which nobody sends any.
            guard first <= 0x88 else { throw .damaged(offset: start) }
            count = 0
            for _ in 0..<(first & 0x7f) {
                guard count < 1 << 32 else { throw .damaged(offset: start) }
                count = count << 8 | Int(try next())
            }
        }
        return .at(position + count)
    }

    private mutating func next() throws(CMSError) -> UInt8 {
        guard let byte = try look(ahead: 0) else { throw .damaged(offset: position) }
        position += 1
        return byte
    }

    private mutating func look(ahead: Int) throws(CMSError) -> UInt8? {
        let place = position + ahead
        guard place < octets.count else { return nil }
        if position < windowStart || place >= windowStart + window.count {
            do throws(FileError) {
                window = try octets.array(position..<min(position + 64 << 10, octets.count))
            } catch {
                throw .file(error)
            }
            windowStart = position
            // The file was truncated.
            guard ahead < window.count else { return nil }
        }
        return window[place - windowStart]
    }
}
