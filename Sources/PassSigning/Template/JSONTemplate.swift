internal import Bytes

/// Parses a JSON file of a template once.
///
/// Placeholders are in strings. `\u007b{` is not a placeholder.
struct JSONTemplate {
    private var json: StrictJSON
    private let file: String
    private(set) var columns: TemplateColumns
    /// The texts of the outermost object's members.
    private(set) var texts: [String: TextPattern] = [:]

    private static let depth = 100

    init(_ bytes: [UInt8], file: String, columns: TemplateColumns) {
        json = StrictJSON(bytes, from: ByteOrderMark.utf8.length(in: bytes.span))
        self.file = file
        self.columns = columns
    }

    /// The file as steps.
    mutating func template() throws(TemplateError) -> FileTemplate {
        guard (try? UTF8Span(validating: json.bytes.span)) != nil else {
            throw .notUTF8(file: file)
        }
        let start = json.position
        json.skipSpace()
        let first = json.position
        let value = try value(in: "", depth: 0)
        let end = json.position
        json.skipSpace()
        guard json.peek == nil else { throw notJSON }
        if case .container(let container) = value {
            for member in container.members {
                texts[member.name] = pattern(member.value)
            }
        }
        var template = FileTemplate(.json)
        template.add(json.bytes[start..<first])
        write(value, to: &template)
        template.add(json.bytes[end...])
        return template
    }

    // MARK: Reading

    private indirect enum Value {
        /// A number or a word.
        case other(Range<Int>)
        /// A string with its quotes.
        case string([Piece])
        /// A string that consists of one placeholder.
        case whole(Placeholder, column: Int)
        case container(Container)
    }

    private enum Piece {
        /// As it is written.
        case text(Range<Int>)
        case column(Int)
    }

    private struct Container {
        let opening: UInt8
        /// The key whose value it is; for an object in an array, the key of the array.
        let key: String
        var members: [Member] = []
        /// The space before the closing bracket.
        var end = 0..<0

        var closing: UInt8 {
            opening == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        }
    }

    private struct Member {
        /// The key; empty in an array.
        let name: String
        /// The space and the key before the value.
        let lead: Range<Int>
        let value: Value
        /// The space after it.
        let trail: Range<Int>
        /// The columns without which it is left out.
        let conditions: [Int]
    }

    private mutating func value(in key: String, depth: Int) throws(TemplateError) -> Value {
        guard depth <= Self.depth else { throw .tooDeep(file: file, limit: Self.depth) }
        let start = json.position
        switch json.peek {
        case UInt8(ascii: "\""):
            guard let text = json.string() else { throw notJSON }
            return try string(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return .container(try container(key, depth: depth))
        default:
            guard
                json.skip("true") || json.skip("false") || json.skip("null")
                    || json.number() != nil
            else { throw notJSON }
            return .other(start..<json.position)
        }
    }

    private mutating func container(_ key: String, depth: Int) throws(TemplateError) -> Container {
        if json.bytes.span.hasPrefix("{{", at: json.position) {
            throw .placeholder(.notQuoted, file: file, line: place(of: json.position).line)
        }
        var container = Container(opening: json.peek ?? 0, key: key)
        let isObject = container.opening == UInt8(ascii: "{")
        json.position += 1
        var start = json.position
        json.skipSpace()
        if json.skip(container.closing) {
            container.end = start..<json.position - 1
            return container
        }
        repeat {
            if !container.members.isEmpty { start = json.position }
            json.skipSpace()
            let name = isObject ? try memberName() : ""
            let lead = start..<json.position
            let value = try value(in: isObject ? name : key, depth: depth + 1)
            let end = json.position
            json.skipSpace()
            container.members.append(
                Member(
                    name: name, lead: lead, value: value, trail: end..<json.position,
                    conditions: conditions(of: value)))
        } while json.skip(UInt8(ascii: ","))
        guard json.skip(container.closing) else { throw notJSON }
        return container
    }

    private mutating func memberName() throws(TemplateError) -> String {
        let start = json.position
        guard let range = json.string() else { throw notJSON }
        guard !Placeholder.isIn(Array(json.bytes[range])) else {
            throw .placeholder(.inKey, file: file, line: place(of: start).line)
        }
        json.skipSpace()
        guard json.skip(UInt8(ascii: ":")) else { throw notJSON }
        json.skipSpace()
        return String(streamSafe: decoded(range))
    }

    private mutating func string(_ range: Range<Int>) throws(TemplateError) -> Value {
        do throws(PlaceholderError) {
            let names = try Placeholder.ranges(in: json.bytes.span, range)
            var pieces: [Piece] = []
            var start = range.lowerBound
            for name in names {
                let placeholder = try Placeholder(decoded(name))
                let column = columns.index(of: placeholder)
                let isWhole = name == range.lowerBound + 2..<range.upperBound - 2
                if isWhole { return .whole(placeholder, column: column) }
                if placeholder.kind != .text {
                    throw PlaceholderError(.kindInText(placeholder.column))
                }
                pieces += [.text(start..<name.lowerBound - 2), .column(column)]
                start = name.upperBound + 2
            }
            return .string(pieces + [.text(start..<range.upperBound)])
        } catch {
            throw .placeholder(error.fault, file: file, line: place(of: range.lowerBound).line)
        }
    }

    private func decoded(_ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        json.decode(range, into: &text)
        return text
    }

    private var notJSON: TemplateError {
        // A number is often written without quotes.
        if json.bytes.span.hasPrefix("{{", at: json.position) {
            return .placeholder(.notQuoted, file: file, line: place(of: json.position).line)
        }
        let (line, column) = place(of: json.position)
        return .notJSON(file: file, line: line, column: column)
    }

    private func place(of offset: Int) -> (line: Int, column: Int) {
        let before = json.bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (1 + before.count { $0 == UInt8(ascii: "\n") }, 1 + offset - lineStart)
    }

    // MARK: Conditions

    /// The columns without which a value is left out: that of an optional placeholder, and those
    /// of the members that a field, barcode, location or beacon cannot be without.
    private func conditions(of value: Value) -> [Int] {
        switch value {
        case .whole(let placeholder, let column): placeholder.isOptional ? [column] : []
        case .container(let container):
            container.members.filter { isEssential($0.name, in: container.key) }
                .flatMap(\.conditions)
        case .other, .string: []
        }
    }

    private func isEssential(_ name: String, in key: String) -> Bool {
        switch key {
        case "headerFields", "primaryFields", "secondaryFields", "auxiliaryFields", "backFields",
            "additionalInfoFields":
            name == "value"
        case "barcodes", "barcode", "nfc": name == "message"
        case "locations": name == "latitude" || name == "longitude"
        case "beacons": name == "proximityUUID"
        default: false
        }
    }

    private func pattern(_ value: Value) -> TextPattern? {
        switch value {
        case .string(let pieces):
            TextPattern(
                pieces: pieces.map { piece in
                    switch piece {
                    case .text(let range): .text(decoded(range))
                    case .column(let column): .column(column)
                    }
                })
        case .whole(let placeholder, let column) where placeholder.kind == .text:
            TextPattern(pieces: [.column(column)])
        case .whole, .other, .container: nil
        }
    }

    // MARK: Writing

    private func write(_ value: Value, to template: inout FileTemplate) {
        switch value {
        case .other(let range): template.add(json.bytes[range])
        case .whole(let placeholder, let column):
            let quote = placeholder.kind == .text ? [UInt8(ascii: "\"")] : []
            template.add(quote[...])
            template.add(column, placeholder.kind)
            template.add(quote[...])
        case .string(let pieces):
            template.add([UInt8(ascii: "\"")])
            for piece in pieces {
                switch piece {
                case .text(let range): template.add(json.bytes[range])
                case .column(let column): template.add(column, .text)
                }
            }
            template.add([UInt8(ascii: "\"")])
        case .container(let container): write(container, to: &template)
        }
    }

    private func write(_ container: Container, to template: inout FileTemplate) {
        template.add([container.opening])
        if container.members.allSatisfy(\.conditions.isEmpty) {
            for (index, member) in container.members.enumerated() {
                if index > 0 { template.add([UInt8(ascii: ",")]) }
                write(member, to: &template)
            }
        } else {
            let number = template.addContainer()
            for member in container.members {
                template.addMember(of: number, requiring: member.conditions) { template in
                    write(member, to: &template)
                }
            }
        }
        template.add(json.bytes[container.end])
        template.add([container.closing])
    }

    private func write(_ member: Member, to template: inout FileTemplate) {
        template.add(json.bytes[member.lead])
        write(member.value, to: &template)
        template.add(json.bytes[member.trail])
    }
}
