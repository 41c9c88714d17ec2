internal import Bytes

/// Parses a `.strings` file of a template once: lines of `"key" = "value";`, with comments.
///
/// Placeholders are in quoted values. A value that is missing becomes empty. The file for a row is
/// UTF-8, even if that of the template is UTF-16.
struct StringsTemplate {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private(set) var columns: TemplateColumns

    init(_ text: [UInt8], file: String, columns: TemplateColumns) {
        bytes = text
        self.file = file
        self.columns = columns
    }

    /// The file as steps.
    mutating func template() throws(TemplateError) -> FileTemplate {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .notUTF8(file: file) }
        var template = FileTemplate(.strings)
        var written = 0
        var isValue = false
        while position < bytes.count {
            let byte = bytes[position]
            if isComment {
                skipComment()
                continue
            }
            if bytes.span.hasPrefix("{{", at: position) {
                throw .placeholder(.notQuoted, file: file, line: line)
            }
            advance()
            if byte == UInt8(ascii: "\"") {
                let first = line
                let text = quoted()
                do throws(PlaceholderError) {
                    for name in try Placeholder.ranges(in: bytes.span, text) {
                        guard isValue else { throw PlaceholderError(.inKey) }
                        let placeholder = try Placeholder(Array(bytes[name]))
                        guard placeholder.kind == .text else {
                            throw PlaceholderError(.kindInText(placeholder.column))
                        }
                        template.add(bytes[written..<name.lowerBound - 2])
                        template.add(columns.index(of: placeholder), .text)
                        written = name.upperBound + 2
                    }
                } catch {
                    throw .placeholder(error.fault, file: file, line: first)
                }
            }
            if !byte.isWhiteSpace { isValue = byte == UInt8(ascii: "=") }
        }
        template.add(bytes[written...])
        return template
    }

    /// Consumes a text and its closing quote; returns where the text is.
    private mutating func quoted() -> Range<Int> {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            advance()
            if byte == UInt8(ascii: "\"") { return start..<position - 1 }
            if byte == UInt8(ascii: "\\"), position < bytes.count { advance() }
        }
        return start..<position
    }

    private var isComment: Bool {
        bytes.span.hasPrefix("//", at: position) || bytes.span.hasPrefix("/*", at: position)
    }

    private mutating func skipComment() {
        let isLine = bytes.span.hasPrefix("//", at: position)
        position += 2
        while position < bytes.count {
            if isLine
                ? bytes[position] == UInt8(ascii: "\n")
                : bytes.span.hasPrefix("*/", at: position)
            {
                if !isLine { position += 2 }
                return
            }
            advance()
        }
    }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }
}
