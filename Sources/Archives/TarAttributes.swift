/// Attributes of a file from the entries before it: a name or size that does not fit in the header.
struct TarAttributes {
    var name: [UInt8]?
    var size: Int?
    /// Whether it is a GNU sparse file, stored without its holes.
    private(set) var isSparse = false
    /// Its size, and its map: the offset and the length of each stored run.
    private(set) var sparseSize: Int?
    private(set) var sparseMap: [Int] = []
    /// Whether the map is at the beginning of the body (version 1.0).
    private(set) var isSparseMapInBody = false

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
            takeSparse(key.dropFirst(11), value)
        }
        return true
    }

    /// Numbers that cannot be read are left out, so that the map is invalid.
    private mutating func takeSparse(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if key.elementsEqual("name".utf8) {
            name = Array(value)
        } else if key.elementsEqual("realsize".utf8) || key.elementsEqual("size".utf8) {
            sparseSize = decimal(value)
        } else if key.elementsEqual("major".utf8) {
            isSparseMapInBody = decimal(value) == 1
        } else if key.elementsEqual("offset".utf8) || key.elementsEqual("numbytes".utf8)
            || key.elementsEqual("map".utf8)
        {
            sparseMap += value.split(separator: UInt8(ascii: ",")).compactMap(decimal)
        }
    }
}

/// Nil if it is not a decimal number, or too large.
func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
        guard (0x30...0x39).contains(digit), value <= 1 << 56 else { return nil }
        value = value * 10 + Int(digit - 0x30)
    }
    return value <= 1 << 60 ? value : nil
}
