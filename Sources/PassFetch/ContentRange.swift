/// A Content-Range field (RFC 9110, 14.4).
struct ContentRange: Equatable {
    let first: Int
    let last: Int
    /// The size of the whole in bytes; nil if the server does not know it.
    let size: Int?

    /// Nil if the value is malformed or inconsistent.
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
    /// Parses decimal digits, few enough that sums do not overflow.
    init?(digits text: some StringProtocol) {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self.init(text)
    }
}
