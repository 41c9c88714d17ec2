import Bytes

/// What is written on a link of a page, and on pictures in it: whether it is a button that adds a pass to
/// Apple Wallet, wherever its URL leads.
struct WalletLabel {
    /// Letters and digits of ASCII, in lower case: `Add_to_Apple_Wallet.svg` and `apple-wallet` are the
    /// same.
    private var letters: [UInt8] = []

    /// How much is read, in bytes.
    private static let limit = 4096

    mutating func add(_ text: some Sequence<UInt8>) {
        for byte in text {
            guard letters.count < WalletLabel.limit else { return }
            if byte.isASCIILetter || byte.isASCIIDigit { letters.append(byte.asciiLowercased) }
        }
    }

    /// What an element's attributes say: those of people, of programs that read aloud, and of styles.
    mutating func add(_ tag: HTMLTag) {
        for name in ["alt", "title", "aria-label", "class", "id", "name"] {
            if let value = tag[name] { add(value) }
        }
        // Apple's own picture of the button is called so.
        if tag.name == "img", let source = tag["src"] ?? tag["data-src"] {
            let end = source.firstIndex { $0 == UInt8(ascii: "?") } ?? source.endIndex
            let start = source[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
            add(source[start..<end])
        }
    }

    /// Wallets of others are no places for these passes.
    var isOfWallet: Bool {
        func holds(_ word: StaticString) -> Bool {
            letters.indices.contains { letters.span.hasPrefix(word, at: $0) }
        }
        if holds("applewallet") || holds("addtopassbook") || holds("pkpass") { return true }
        return holds("addtowallet") && !holds("google") && !holds("samsung")
    }
}
