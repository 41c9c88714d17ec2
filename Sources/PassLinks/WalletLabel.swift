import Bytes
import PassDetection

/// The label of a link, from its text and images: shows whether the link is a button that adds a
/// pass to Apple Wallet, or has the name of a pass, whatever its URL.
struct WalletLabel {
    /// Whether the label is that of such a button.
    private(set) var isOfWallet = false
    /// Whether the label is the file name of a pass, as Google Drive and OneDrive write it.
    private(set) var namesPass = false

    /// The text on the link.
    private var text: [UInt8] = []
    private let types: TypeMap

    /// The longest label, in bytes; a longer text is not a label.
    private static let limit = 200

    init(_ types: TypeMap) {
        self.types = types
    }

    mutating func add(_ text: some Collection<UInt8>) {
        self.text += text.prefix(WalletLabel.limit + 1 - self.text.count)
    }

    /// Adds the attributes of an element: texts, accessibility labels and style names.
    mutating func add(_ tag: HTMLTag) {
        for (name, value) in tag.attributes {
            switch name {
            case "alt", "title", "aria-label": judge(value[...], mayBeNameOnly: true)
            case "class", "id", "name": judge(identifier: value[...])
            default: break
            }
        }
        // The file name of Apple's button image contains these words.
        if tag.name == "img", let source = tag["src"] ?? tag["data-src"] {
            let path = source.prefix { $0 != UInt8(ascii: "?") }
            let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
            judge(identifier: path[start...])
        }
    }

    /// Ends the text on the link.
    mutating func finish() {
        judge(text[...], mayBeNameOnly: false)
        text = []
    }

    /// Judges a text.
    ///
    /// - Parameter mayBeNameOnly: Whether "Apple Wallet" alone is a button: as the description of
    ///   an image, but not in a sentence that mentions it.
    mutating func judge(_ text: ArraySlice<UInt8>, mayBeNameOnly: Bool) {
        guard text.count <= WalletLabel.limit else { return }
        let words = text.split(whereSeparator: \.isWhiteSpace)
        for word in [words.first, words.last].compactMap(\.self) {
            // A name has a stem and an extension.
            let dot = word.lastIndex(of: UInt8(ascii: ".")) ?? word.startIndex
            guard dot > word.startIndex, !word.contains(UInt8(ascii: "/")) else { continue }
            namesPass = namesPass || types.isPassName(String(streamSafe: word))
        }
        guard !isOfWallet, !text.contains(UInt8(ascii: "?")) else { return }
        let found = WalletWords(in: text)
        guard !found.contains(.explanation) else { return }
        isOfWallet = found.addToWallet || mayBeNameOnly && found.contains(.nameOnly)
    }

    /// Judges a style name or the file name of an image.
    private mutating func judge(identifier: ArraySlice<UInt8>) {
        guard !isOfWallet, identifier.count <= WalletLabel.limit else { return }
        let found = WalletWords(in: identifier)
        isOfWallet =
            !found.contains(.explanation) && (found.addToWallet || found.contains(.englishName))
    }
}
