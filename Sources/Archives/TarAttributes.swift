/// Attributes of a file from the entries before it: a name or size that does not fit in the header.
struct TarAttributes {
    var name: [UInt8]?
    var size: Int?
    /// Whether it is a GNU sparse file, stored without its holes.
    var isSparse = false

    /// Reads the body of a GNU entry of type `L`.
    mutating func take(longName bytes: [UInt8]) {
        name = Array(bytes.prefix { $0 != 0 })
    }

    /// Reads the records of a pax extended header, each `LENGTH KEY=VALUE` and a line feed; returns
    /// whether all are valid.
    mutating func take(records bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let space = rest.prefix(20).firstIndex(of: 0x20),
                let length = decimal(rest[..<space]), length > space - rest.startIndex,
                length <= rest.count, rest[rest.startIndex + length - 1] == 0x0A
            else { return false }
            let record = rest[(space + 1)..<max(space + 1, rest.startIndex + length - 1)]
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { return false }
            guard take(key: record[..<equals], value: record[(equals + 1)...]) else { return false }
            rest = rest.dropFirst(length)
        }
        return true
    }

    private mutating func take(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>) -> Bool {
        if key.elementsEqual("path".utf8) {
            name = Array(value)
        } else if key.elementsEqual("size".utf8) {
            size = decimal(value)
            return size != nil
        } else if key.starts(with: "GNU.sparse.".utf8) {
            isSparse = true
            if key.elementsEqual("GNU.sparse.name".utf8) { name = Array(value) }
        }
        return true
    }
}

/// Nil if it is not a decimal number, or too large.
private func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
        guard (0x30...0x39).contains(digit), value <= 1 << 56 else { return nil }
        value = value * 10 + Int(digit - 0x30)
    }
    return value <= 1 << 60 ? value : nil
}
