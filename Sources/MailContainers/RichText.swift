import Bytes
import MIME
import Platform

/// Converts RTF into a text that can be searched, and extracts the files embedded in it.
///
/// Of RTF that encapsulates a page ([MS-OXRTFEX]), the result is the page:
/// ```
/// {\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 hello\htmlrtf}\htmlrtf0 }
/// ```
/// Of other RTF, it is a page with the text and its hyperlinks.
struct RichText: ~Copyable {
    /// The files in objects of the class `Package`.
    private(set) var packages: [OLEPackage] = []
    /// Whether a package could not be read.
    private(set) var hasDamagedPackage = false
    private(set) var isTooDeep = false
    /// Whether the text is plain.
    var isPlainText: Bool { source == .text }
    private var text: OctetsWriter
    private var output: [UInt8] = []
    private let spool: SpoolPolicy

    private var source = Source.richText
    private var token = Token.text
    /// The name of the control word that is read, and its parameter.
    private var word: [UInt8] = []
    private var digits: [UInt8] = []
    /// The open groups; the last one is the current one.
    private var groups = [Group()]
    /// The number of open groups beyond the limit.
    private var groupsBeyond = 0
    /// Whether the next control word begins a destination that unknown readers skip.
    private var isStarred = false
    /// The characters still to be skipped after one in Unicode.
    private var replaced = 0
    /// Encoded characters and UTF-16 that are not in the output yet.
    private var encoded: [UInt8] = []
    private var units: [UInt16] = []
    /// Whether the second byte of an encoded character is missing.
    private var isCharacterOpen = false
    private var charset = ""
    /// The instruction of a field, and the data of an object.
    private var instruction: [UInt8] = []
    private var object: OctetsWriter?
    private var highDigit: UInt8?

    /// What the RTF was made from.
    private enum Source { case richText, page, text }

    private enum Token {
        case text
        case backslash
        case word
        case parameter
        /// The digits of an encoded character, and the first of them.
        case octet(UInt8?)
        /// The bytes left of binary data.
        case binary(Int)
    }

    private struct Group {
        var content = Content.text
        /// Whether the group begins that content.
        var beginsContent = false
        /// Between `\htmlrtf` and `\htmlrtf0`.
        var isHidden = false
        /// The number of characters after one in Unicode that replace it.
        var replacements = 1
        var isField = false
        var isLink = false
    }

    private enum Content { case text, tag, instruction, object, other }

    /// The limit for nested groups.
    static let depthLimit = 1000
    /// The limit for a field's instruction and for encoded characters in a row, in bytes.
    private static let longestRun = 64 << 10
    /// That of control words, and of the digits of a parameter.
    private static let longestWord = 32

    init(_ spool: SpoolPolicy) {
        self.spool = spool
        text = OctetsWriter(spool)
    }

    /// Converts the next piece.
    mutating func feed(_ bytes: Span<UInt8>) throws(FileError) {
        for index in bytes.indices { try take(bytes[index]) }
        try write()
    }

    /// Ends the RTF, which may be cut off within an object: its file may be whole.
    mutating func end() throws(FileError) {
        if case .word = token { try endWord() }
        if case .parameter = token { try endWord() }
        token = .text
        try endObject()
        flush()
        try write()
    }

    /// The text, in UTF-8.
    consuming func finish() throws(FileError) -> SpooledBytes {
        try end()
        return try text.finish()
    }

    private mutating func write() throws(FileError) {
        try text.append(output)
        output.removeAll(keepingCapacity: true)
    }

    private mutating func take(_ byte: UInt8) throws(FileError) {
        switch token {
        case .text: try takeText(byte)
        case .backslash: try takeSymbol(byte)
        case .word:
            if byte.isASCIILetter, word.count < RichText.longestWord {
                word.append(byte)
            } else if byte.isASCIIDigit || byte == UInt8(ascii: "-") {
                digits = [byte]
                token = .parameter
            } else {
                try endWord(before: byte)
            }
        case .parameter:
            if byte.isASCIIDigit, digits.count < RichText.longestWord {
                digits.append(byte)
            } else {
                try endWord(before: byte)
            }
        case .octet(let high):
            guard let value = byte.hexadecimalValue else {
                token = .text
                return try takeText(byte)
            }
            guard let high else {
                token = .octet(value)
                return
            }
            token = .text
            add(encoded: high << 4 | value)
        case .binary(let left):
            if group.content == .object { try object?.append(byte) }
            token = left > 1 ? .binary(left - 1) : .text
        }
    }

    private var group: Group {
        get { groups.last ?? Group() }
        set { if !groups.isEmpty { groups[groups.count - 1] = newValue } }
    }

    private mutating func takeText(_ byte: UInt8) throws(FileError) {
        switch byte {
        case UInt8(ascii: "\\"): token = .backslash
        case UInt8(ascii: "{"): open()
        case UInt8(ascii: "}"): try close()
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: break
        case 0x80...: add(encoded: byte)
        default: try add(byte)
        }
    }

    /// The character after a backslash.
    private mutating func takeSymbol(_ byte: UInt8) throws(FileError) {
        token = .text
        switch byte {
        case _ where byte.isASCIILetter:
            word = [byte]
            digits = []
            token = .word
        case UInt8(ascii: "'"): token = .octet(nil)
        case UInt8(ascii: "*"): isStarred = true
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): try add(byte)
        case UInt8(ascii: "~"): try add(UInt8(ascii: " "))
        case UInt8(ascii: "_"): try add(UInt8(ascii: "-"))
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): addLineEnd()
        default: break
        }
    }

    private mutating func open() {
        guard groups.count < RichText.depthLimit else {
            isTooDeep = true
            groupsBeyond += 1
            return
        }
        var inner = group
        (inner.beginsContent, inner.isField, inner.isLink) = (false, false, false)
        groups.append(inner)
        (isStarred, replaced) = (false, 0)
    }

    private mutating func close() throws(FileError) {
        guard groupsBeyond == 0 else {
            groupsBeyond -= 1
            return
        }
        (isStarred, replaced) = (false, 0)
        guard groups.count > 1, let closed = groups.popLast() else { return }
        if closed.isLink {
            flush()
            output += Array("</a>".utf8)
        }
        guard closed.beginsContent else { return }
        switch closed.content {
        case .instruction: endInstruction()
        case .object: try endObject()
        case .text, .tag, .other: break
        }
    }

    /// Ends a control word. A space after it belongs to it.
    private mutating func endWord(before byte: UInt8) throws(FileError) {
        token = .text
        try endWord()
        if byte != UInt8(ascii: " ") { try take(byte) }
    }

    private mutating func endWord() throws(FileError) {
        let number = digits.isEmpty ? nil : Int(String(streamSafe: digits))
        let name = String(streamSafe: word)
        let isStarred = isStarred
        self.isStarred = false
        switch name {
        case "u":
            return addUnit(UInt16(truncatingIfNeeded: number ?? 0))
        case "bin":
            if let number, number > 0 { token = .binary(number) }
        case "uc":
            group.replacements = max(0, min(number ?? 1, 16))
        case "ansicpg":
            charset = CodePage.charset(number ?? 0)
        case "fromhtml":
            if number ?? 1 == 1, source == .richText { source = .page }
        case "fromtext":
            if source == .richText { source = .text }
        case "htmlrtf":
            group.isHidden = number != 0
        case "htmltag":
            begin(.tag)
        case "par", "line", "row", "sect", "page": addLineEnd()
        case "tab", "cell": try add(UInt8(ascii: "\t"))
        case "lquote", "rquote": try add(UInt8(ascii: "'"))
        case "ldblquote", "rdblquote": try add(UInt8(ascii: "\""))
        case "emdash", "endash", "bullet": try add(UInt8(ascii: "-"))
        case "field":
            group.isField = true
        case "fldinst":
            begin(.instruction)
            instruction.removeAll()
        case "objdata":
            begin(.object)
            object = OctetsWriter(spool)
            highDigit = nil
        case "fldrslt", "shptxt", "shpinst", "shp", "object", "result": break
        case "fonttbl", "colortbl", "stylesheet", "info", "pict", "pntext", "fldtype", "listtext":
            begin(.other)
        default:
            if isStarred { begin(.other) }
        }
    }

    private mutating func begin(_ content: Content) {
        guard group.content != .other, groupsBeyond == 0 else { return }
        flush()
        group.content = content
        group.beginsContent = true
    }

    /// Whether characters are shown to a reader.
    private var isShown: Bool {
        groupsBeyond == 0
            && (group.content == .tag || group.content == .text && !group.isHidden)
    }

    private mutating func addLineEnd() {
        guard isShown else { return }
        flush()
        output += Array((source == .richText ? "<br>\r\n" : "\r\n").utf8)
    }

    private mutating func add(_ byte: UInt8) throws(FileError) {
        if replaced > 0 {
            replaced -= 1
            return
        }
        switch group.content {
        case .instruction:
            if instruction.count < RichText.longestRun { instruction.append(byte) }
        case .object:
            guard let value = byte.hexadecimalValue else { return }
            guard let high = highDigit.take() else {
                highDigit = value
                return
            }
            try object?.append(high << 4 | value)
        case .text, .tag, .other:
            guard isShown else { return }
            // The second byte of a character may be written as the ASCII character it is.
            if isCharacterOpen { return append(encoded: byte) }
            flush()
            addEscaped(byte)
        }
    }

    private mutating func addEscaped(_ byte: UInt8) {
        guard source == .richText else { return output.append(byte) }
        switch byte {
        case UInt8(ascii: "<"): output += Array("&lt;".utf8)
        case UInt8(ascii: ">"): output += Array("&gt;".utf8)
        case UInt8(ascii: "&"): output += Array("&amp;".utf8)
        case UInt8(ascii: "\""): output += Array("&quot;".utf8)
        default: output.append(byte)
        }
    }

    /// A byte of the character set.
    private mutating func add(encoded byte: UInt8) {
        if replaced > 0 {
            replaced -= 1
            return
        }
        if group.content == .instruction {
            if instruction.count < RichText.longestRun { instruction.append(byte) }
        } else if isShown {
            if !units.isEmpty || encoded.count >= RichText.longestRun { flush() }
            if byte < 0x80, !isCharacterOpen {
                flush()
                addEscaped(byte)
            } else {
                append(encoded: byte)
            }
        }
    }

    private mutating func append(encoded byte: UInt8) {
        encoded.append(byte)
        let hasPairs = ["cp932", "cp936", "cp949", "cp950", "cp1361"].contains(charset)
        isCharacterOpen = hasPairs && !isCharacterOpen && byte >= 0x81
    }

    private mutating func addUnit(_ unit: UInt16) {
        replaced = group.replacements
        if group.content == .instruction {
            if unit < 0x80 { instruction.append(UInt8(unit)) }
        } else if isShown {
            if !encoded.isEmpty || units.count >= RichText.longestRun { flush() }
            if unit < 0x80 {
                flush()
                addEscaped(UInt8(unit))
            } else {
                units.append(unit)
            }
        }
    }

    /// Writes the characters that are not in the output yet.
    private mutating func flush() {
        if !encoded.isEmpty {
            output += Array(Charset.decode(encoded, charset).utf8)
            encoded.removeAll(keepingCapacity: true)
            isCharacterOpen = false
        }
        if !units.isEmpty {
            output += Array(String(streamSafe: units).utf8)
            units.removeAll(keepingCapacity: true)
        }
    }

    /// Writes the start of a link, if a field is one; its text follows.
    private mutating func endInstruction() {
        guard source == .richText, group.isField, !group.isLink,
            let target = RichText.target(of: instruction)
        else { return }
        flush()
        output += Array("<a href=\"".utf8)
        for byte in target { addEscaped(byte) }
        output += Array("\">".utf8)
        group.isLink = true
    }

    /// The URL of an instruction such as `HYPERLINK "https://example.com/" \o "a tip"`.
    private static func target(of instruction: [UInt8]) -> ArraySlice<UInt8>? {
        let words = instruction.drop(while: \.isWhiteSpace)
        guard words.span.hasPrefix(caseInsensitive: "hyperlink", at: 0) else { return nil }
        var rest = words.dropFirst(9).drop(while: \.isWhiteSpace)
        // A switch without an argument; `\l` alone is a place in the document.
        while rest.first == UInt8(ascii: "\\"), rest.dropFirst().first != UInt8(ascii: "l") {
            rest = rest.dropFirst(2).drop(while: \.isWhiteSpace)
        }
        if rest.first == UInt8(ascii: "\"") {
            return rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
        }
        return rest.first == UInt8(ascii: "\\") ? nil : rest.prefix { !$0.isWhiteSpace }
    }

    private mutating func endObject() throws(FileError) {
        guard let octets = try object.take()?.finish() else { return }
        if let package = try OLEPackage(object: octets) {
            packages.append(package)
        } else if try OLEPackage.isPackage(object: octets) {
            hasDamagedPackage = true
        }
    }
}
