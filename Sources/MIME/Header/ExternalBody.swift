import Bytes
package import Platform

/// A body stored elsewhere: message/external-body (RFC 2046, 5.2.3), whose own body is the header
/// of the external one.
package struct ExternalBody: Sendable, Hashable {
    /// The access type, in lower case: `anon-ftp`, `url`.
    package let accessType: String
    /// The URL for access type `url` (RFC 2017), without folding white space.
    package let url: String
    /// The file name, host and directory that the sender names.
    package let name: String
    package let site: String
    package let directory: String

    init(_ block: HeaderBlock, limits: MIMELimits) {
        var parameters: [Parameter] = []
        for body in block.bodies(of: "content-type").prefix(limits.repeatedFields) {
            parameters += HeaderValue(Array(block.bytes[body]), limit: limits.parameters).parameters
        }
        func text(_ name: String) -> String { parameters.texts(of: name).first ?? "" }
        accessType = text("access-type").asciiLowercased
        url = text("url").filter { !$0.isWhitespace }.streamSafe
        name = text("name")
        site = text("site")
        directory = text("directory")
    }

    /// The location of the body, as text.
    package var place: String {
        [accessType, url, site, directory, name].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension CollectedPart {
    /// The header of the external body, which this body contains.
    package func phantomHeader(limits: MIMELimits) throws(FileError) -> PartHeader {
        let start = try body.array(0..<64 << 10)
        let source = start.span
        var block = HeaderBlock()
        var position = source.trimmed(0..<start.count).lowerBound
        while position < start.count {
            let line = position..<source.endOfLine(from: position, limit: start.count)
            if source.withoutLineEnding(line).isEmpty { break }
            if source[position].isWhiteSpace {
                block.continueField(source, line, limit: limits.headerBlock)
            } else {
                _ = block.beginField(source, line, limit: limits.headerBlock)
            }
            position = line.upperBound
        }
        return PartHeader(block, limits: limits)
    }
}
