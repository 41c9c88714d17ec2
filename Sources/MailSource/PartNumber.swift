import Bytes

/// An IMAP part number (RFC 3501, 6.4.5): `1.2`.
struct PartNumber: Comparable, CustomStringConvertible {
    private let numbers: [Int]

    init?(_ text: some Collection<UInt8>) {
        guard text.count <= 255 else { return nil }
        var numbers: [Int] = []
        for digits in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0"),
                digits.allSatisfy(\.isASCIIDigit)
            else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        self.numbers = numbers
    }

    var description: String { numbers.map(String.init).joined(separator: ".") }

    static func < (left: PartNumber, right: PartNumber) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
