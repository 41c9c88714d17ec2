package import Bytes
package import Platform

/// The properties of a text that a search in it depends on.
package struct TextForm: Sendable, Hashable {
    package var isHTML = false
    /// As named by the header; empty if it names none.
    package var charset = ""
    /// Whether a space at the end of a line is deleted when lines are joined (RFC 3676, 4.1,
    /// `DelSp`).
    package var joinsLines = false

    package init(isHTML: Bool = false, charset: String = "", joinsLines: Bool = false) {
        self.isHTML = isHTML
        self.charset = charset
        self.joinsLines = joinsLines
    }

    /// The form of a file with the name of a text file; nil for all others.
    package init?(of file: SpooledBytes, name: String) throws(FileError) {
        switch name.lowercased().split(separator: ".").last {
        case "html", "htm", "xhtml": isHTML = true
        case "txt", "text": isHTML = false
        default: return nil
        }
        if try ByteOrderMark(file.array(0..<2))?.isUTF16 == true { charset = "utf-16" }
    }

    /// The form of a part's text; nil if the part is not readable text.
    init?(_ block: HeaderBlock, _ part: PartHeader, limits: MIMELimits) {
        isHTML = part.mediaTypes.contains { $0 == "text/html" || $0 == "text/x-amp-html" }
        // The default type is plain text (RFC 2045, 5.2).
        guard isHTML || part.mediaTypes.isEmpty || part.mediaTypes.contains("text/plain") else {
            return nil
        }
        for body in block.bodies(of: "content-type").prefix(limits.repeatedFields) {
            let value = HeaderValue(Array(block.bytes[body]), limit: limits.parameters)
            if charset.isEmpty { charset = value.parameters.texts(of: "charset").first ?? "" }
            if let delsp = value.parameters.texts(of: "delsp").first {
                joinsLines = joinsLines || delsp.lowercased() == "yes"
            }
        }
    }
}
