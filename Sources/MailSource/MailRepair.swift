package import Bytes

/// Mail in a form that RFC 5322, 2.3 forbids, written in the one that it wants.
package enum MailRepair {
    /// Whether first bytes may be of such mail.
    static func isNeeded(_ prefix: Span<UInt8>) -> Bool { Repair(prefix) != nil }

    /// The first bytes of such mail as they should be; nil for everything else.
    package static func repaired(_ prefix: [UInt8]) -> [UInt8]? {
        guard var form = Repair(prefix.span) else { return nil }
        var repaired: [UInt8] = []
        form.append(prefix.span, to: &repaired)
        return repaired
    }

    /// All of it as it should be.
    package static func repaired(
        _ source: ByteSource, _ spool: SpoolPolicy
    ) throws(FileError) -> SpooledBytes {
        // Until the first bytes say how.
        var form = Repair.carriageReturns
        var writer = OctetsWriter(spool)
        var reader = LineReader()
        var lines: [UInt8] = []
        var failure: FileError?
        reader.open(source)
        while failure == nil {
            let isFirst = reader.offset == 0
            let more = try reader.next { bytes, _ in
                if isFirst { form = Repair(bytes) ?? form }
                lines.removeAll(keepingCapacity: true)
                form.append(bytes, to: &lines)
                do throws(FileError) { try writer.append(lines) } catch { failure = error }
                return bytes.count
            }
            if !more { break }
        }
        if let failure { throw failure }
        return try writer.finish()
    }

    private enum Repair {
        /// Lines end in a carriage return alone, as old Macs wrote them.
        case carriageReturns
        /// Text of two bytes a character, behind its mark, as editors and shells of Windows save it.
        case utf16(UTF16Text)

        init?(_ source: Span<UInt8>) {
            let prefix = 0..<min(source.count, SourceKind.prefixLength)
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
