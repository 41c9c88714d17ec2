internal import Bytes

/// A text file with placeholders, as the steps that write it for a row.
struct FileTemplate: Sendable {
    /// How a value is written between quotes.
    enum Syntax: Sendable {
        case json, strings
    }

    private enum Step: Sendable {
        /// A part of `text`.
        case text(Range<Int>)
        case value(Int, Placeholder.Kind)
        /// A member of an object or array of which members may be missing. If one of `conditions`
        /// has no value, the steps up to `end` are skipped. Otherwise a comma is written, if it is
        /// not the first member of its container that is.
        case member(container: Int, conditions: Range<Int>, end: Int)
    }

    private let syntax: Syntax
    private var text: [UInt8] = []
    private var steps: [Step] = []
    private var conditions: [Int] = []
    private var containers = 0
    /// The next text must not be joined with the previous one, since a step ends between them.
    private var isSplit = false

    init(_ syntax: Syntax) {
        self.syntax = syntax
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        let start = text.count
        text += bytes
        if !isSplit, case .text(let range)? = steps.last {
            steps[steps.count - 1] = .text(range.lowerBound..<text.count)
        } else {
            steps.append(.text(start..<text.count))
        }
        isSplit = false
    }

    mutating func add(_ column: Int, _ kind: Placeholder.Kind) {
        steps.append(.value(column, kind))
        isSplit = false
    }

    /// A container of which members may be missing; its number is for its members.
    mutating func addContainer() -> Int {
        containers += 1
        return containers - 1
    }

    /// A member of such a container, which is left out if one of the columns has no value.
    mutating func addMember(
        of container: Int, requiring columns: [Int], _ write: (inout FileTemplate) -> Void
    ) {
        let place = steps.count
        let start = conditions.count
        conditions += columns
        let range = start..<conditions.count
        steps.append(.member(container: container, conditions: range, end: place))
        isSplit = true
        write(&self)
        steps[place] = .member(container: container, conditions: range, end: steps.count)
        isSplit = true
    }

    /// The file for a row.
    ///
    /// - Parameter names: The names of the columns, for faults.
    func file(for values: RowValues, names: [String]) throws(RowFault) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(text.count + text.count / 4)
        var isBegun = [Bool](repeating: false, count: containers)
        var place = 0
        while place < steps.count {
            switch steps[place] {
            case .text(let range):
                file += text[range]
            case .value(let column, let kind):
                if let value = values[column] {
                    try add(value, kind, named: names[column], to: &file)
                }
            case .member(let container, let range, let end):
                guard conditions[range].allSatisfy({ values[$0] != nil }) else {
                    place = end
                    continue
                }
                if isBegun[container] { file.append(UInt8(ascii: ",")) }
                isBegun[container] = true
            }
            place += 1
        }
        return file
    }

    private func add(
        _ value: ArraySlice<UInt8>, _ kind: Placeholder.Kind, named name: String,
        to file: inout [UInt8]
    ) throws(RowFault) {
        switch kind {
        case .text:
            addEscaped(value, to: &file)
        case .number:
            guard StrictJSON.isNumber(value) else {
                throw .notANumber(column: name, value: String(streamSafe: value))
            }
            file += value
        case .boolean:
            // Spreadsheets write capitals.
            let word = value.map(\.asciiLowercased)
            guard word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) else {
                throw .notABoolean(column: name, value: String(streamSafe: value))
            }
            file += word
        }
    }

    private func addEscaped(_ value: ArraySlice<UInt8>, to file: inout [UInt8]) {
        var start = value.startIndex
        for index in value.indices where isSpecial(value[index]) {
            file += value[start..<index]
            file.append(UInt8(ascii: "\\"))
            addEscape(of: value[index], to: &file)
            start = index + 1
        }
        file += value[start...]
    }

    /// What follows the backslash. RFC 8259, section 7; old property lists have the same escapes,
    /// but `\U` instead of `\u`.
    private func addEscape(of byte: UInt8, to file: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): file.append(byte)
        case 0x0A: file.append(UInt8(ascii: "n"))
        case 0x0D: file.append(UInt8(ascii: "r"))
        case 0x09: file.append(UInt8(ascii: "t"))
        default:
            file.append(UInt8(ascii: syntax == .json ? "u" : "U"))
            file += "00".utf8
            file += hexadecimal(byte)
        }
    }
}

private func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// The two digits of a byte, in upper case.
func hexadecimal(_ byte: UInt8) -> [UInt8] {
    [byte >> 4, byte & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "A") + $0 - 10 }
}
