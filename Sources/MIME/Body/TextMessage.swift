package import Bytes
package import Platform

/// A text as a message of its own.
package enum TextMessage {
    /// The header of such a message.
    package static let header = Array("Content-Type:text/plain\n\n".utf8)
}

extension SpooledBytes {
    /// The text as a message with an empty header, in which the parser finds files and the source
    /// of messages; nil if no line of it may begin one.
    package func textMessage(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes? {
        var marks = LineMarks()
        var mayHoldFile = false
        var writer = OctetsWriter(spool)
        try writer.append(TextMessage.header)
        var reader = LineReader(bufferSize: 64 << 10)
        reader.open(ByteSource(self))
        var failure: FileError?
        while failure == nil {
            let startsLine = reader.startsLine
            let more = try reader.next { bytes, _ in
                marks.mark(bytes, startsLine: startsLine)
                mayHoldFile =
                    mayHoldFile
                    || marks.offsets.contains {
                        let byte = bytes[Int($0)]
                        return byte != UInt8(ascii: "-") && byte != UInt8(ascii: "F")
                    }
                do throws(FileError) { try writer.append(bytes) } catch { failure = error }
                return bytes.count
            }
            if !more { break }
        }
        if let failure { throw failure }
        return mayHoldFile ? try writer.finish() : nil
    }
}
