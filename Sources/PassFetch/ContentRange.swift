/// Which part of a body a server sends (RFC 9110, 14.4).
struct ContentRange: Equatable {
    let first: Int
    let last: Int
    /// How many bytes the whole has; nil where the server does not know.
    let size: Int?

    /// Nil where it is no such value, or one that no part can have.
    init?(_ text: String) {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]),
            first <= last
        else { return nil }
        self.first = first
        self.last = last
        if parts[1] == "*" {
            size = nil
        } else {
            guard let size = Int(digits: parts[1]), size > last else { return nil }
            self.size = size
        }
    }
}

extension Int {
    /// Digits alone, few enough that sums of such numbers are numbers.
    init?(digits text: some StringProtocol) {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self.init(text)
    }
}
