import Bytes

/// The label of a link, from its text and images: shows whether the link is a button that adds a
/// pass to Apple Wallet, whatever its URL.
struct WalletLabel {
    /// ASCII letters and digits in lower case, so that `Add_to_Apple_Wallet.svg` and `apple-wallet`
    /// match.
    private var letters: [UInt8] = []

    /// The limit of the text read, in bytes.
    private static let limit = 4096

    mutating func add(_ text: some Sequence<UInt8>) {
        for byte in text {
            guard letters.count < WalletLabel.limit else { return }
            if byte.isASCIILetter || byte.isASCIIDigit { letters.append(byte.asciiLowercased) }
        }
    }

    /// Adds the attributes of an element: texts, accessibility labels and style names.
    mutating func add(_ tag: HTMLTag) {
        for name in ["alt", "title", "aria-label", "class", "id", "name"] {
            if let value = tag[name] { add(value) }
        }
        // The file name of Apple's button image contains these words.
        if tag.name == "img", let source = tag["src"] ?? tag["data-src"] {
            let end = source.firstIndex { $0 == UInt8(ascii: "?") } ?? source.endIndex
            let start = source[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
            add(source[start..<end])
        }
    }

    /// Whether the label names Apple Wallet, and not another wallet only.
    var isOfWallet: Bool {
        func holds(_ word: StaticString) -> Bool {
            letters.indices.contains { letters.span.hasPrefix(word, at: $0) }
        }
        if holds("applewallet") || holds("addtopassbook") || holds("pkpass") { return true }
        return holds("addtowallet") && !holds("google") && !holds("samsung")
    }
}
