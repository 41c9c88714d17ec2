package import Bytes
import MailSource
package import Platform

/// A text as a message of its own.
package enum TextMessage {
    /// The header of such a message.
    package static let header = Array("Content-Type:text/plain\n\n".utf8)
}

extension CollectedPart {
    /// The text without its transfer encoding.
    package func decodedText(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes {
        let decoding = decodings.first ?? .identity
        return try BodyDecoder.decode(body, decoding, spool: spool, repeats: false)
    }

    /// The same part as readable text.
    func asText(_ form: TextForm) -> CollectedPart {
        CollectedPart(
            number: number, header: header, kind: .text(form), body: body, isCut: isCut,
            isInMbox: isInMbox)
    }
}

extension SpooledBytes {
    /// Whether a decoded text is a file in base64.
    func isBase64File() throws(FileError) -> Bool {
        let start = try array(0..<Base64File.examined)
        return Base64File.start(in: start.span) != nil
    }

    /// Whether a decoded text begins with a `data:` URL.
    func beginsDataURL() throws(FileError) -> Bool {
        let start = try array(0..<Base64File.examined)
        let first = start.span.trimmed(start.indices).lowerBound
        return Base64File.isDataURL(start.span, at: first)
    }

    /// Whether a decoded text may begin with a file or message, or contain one.
    func mayHoldFile() throws(FileError) -> Bool {
        if try hasLineOfFile() { return true }
        return try ContentHead(of: ByteSource(self)).kind.mayHoldPasses
    }

    /// The text as a message with an empty header, in which the parser finds files and the source
    /// of messages; nil if no line of it may begin one.
    package func textMessage(_ spool: SpoolPolicy) throws(FileError) -> SpooledBytes? {
        guard try hasLineOfFile() else { return nil }
        var writer = OctetsWriter(spool)
        try writer.append(TextMessage.header)
        try forEachPiece { piece throws(FileError) in
            try writer.append(piece)
            return true
        }
        return try writer.finish()
    }

    /// Whether a line may begin a file or the header of a part. A large text is not examined: a
    /// line may continue in the next piece.
    fileprivate func hasLineOfFile() throws(FileError) -> Bool {
        guard count <= 256 << 10 else { return true }
        let text = try array()
        let first = text.span.trimmed(text.indices).lowerBound
        if LooseFile.armorBehindTags(text.span, first..<text.count) != nil { return true }
        var marks = LineMarks()
        marks.mark(text.span, startsLine: true)
        return marks.offsets.contains {
            let byte = text[Int($0)]
            return byte == UInt8(ascii: "-")
                ? LooseFile.isArmor(text.span, at: Int($0)) : byte != UInt8(ascii: "F")
        }
    }
}
