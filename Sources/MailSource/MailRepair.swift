package import Bytes
package import Platform

/// Converts mail with line ends or an encoding that RFC 5322, 2.3 forbids, and other texts in
/// UTF-16.
package enum MailRepair {
    /// Whether the first bytes show that conversion is needed.
    static func isNeeded(_ prefix: Span<UInt8>) -> Bool { Repair(prefix) != nil }

    /// Whether a text with these first bytes is in UTF-16.
    package static func isUTF16(_ prefix: Span<UInt8>) -> Bool { UTF16Text(prefix) != nil }

    /// The first bytes converted; nil if no conversion is needed.
    package static func repaired(_ prefix: Span<UInt8>) -> [UInt8]? {
        guard var form = Repair(prefix) else { return nil }
        var repaired: [UInt8] = []
        form.append(prefix, to: &repaired)
        return repaired
    }

    /// The whole source converted.
    package static func repaired(
        _ source: ByteSource, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes {
        // A default; the first bytes decide.
        var form = Repair.carriageReturns
        var writer = OctetsWriter(spool)
        var reader = LineReader()
        var lines: [UInt8] = []
        var failure: FileError?
        var end = 0
        reader.open(source)
        while failure == nil {
            let start = reader.offset
            if start != end { form.skipHole() }
            let more = try reader.next { bytes, _ in
                if start == 0 { form = Repair(bytes) ?? form }
                lines.removeAll(keepingCapacity: true)
                form.append(bytes, to: &lines)
                do throws(FileError) { try writer.append(lines) } catch { failure = error }
                end = start + bytes.count
                return bytes.count
            }
            if !more { break }
        }
        if let failure { throw failure }
        return try writer.finish()
    }

    private enum Repair {
        /// VIOLATIONS.md, M17: lines end in a bare carriage return.
        case carriageReturns
        /// VIOLATIONS.md, M18: UTF-16, usually with a byte order mark.
        case utf16(UTF16Text)

        init?(_ source: Span<UInt8>) {
            let prefix = 0..<min(source.count, ContentHead.length)
            if let text = UTF16Text(source) {
                self = .utf16(text)
            } else if source.firstIndex(of: 0x0D, in: prefix) != nil,
                source.firstIndex(of: 0x0A, in: prefix) == nil
            {
                self = .carriageReturns
            } else {
                return nil
            }
        }

        /// Continues after a hole, which ends at a multiple of a block's size.
        mutating func skipHole() {
            guard case .utf16(var text) = self else { return }
            text.dropHalf()
            self = .utf16(text)
        }

        mutating func append(_ bytes: Span<UInt8>, to repaired: inout [UInt8]) {
            switch self {
            case .carriageReturns:
                for index in bytes.indices {
                    repaired.append(bytes[index] == 0x0D ? 0x0A : bytes[index])
                }
            case .utf16(var text):
                for index in bytes.indices { text.append(bytes[index], to: &repaired) }
                self = .utf16(text)
            }
        }
    }
}
