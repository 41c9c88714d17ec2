import Bytes
import PassDetection

/// The URLs in the tags of a page, with the evidence in their attributes and labels.
struct TagLinks {
    struct Reference {
        let url: [UInt8]
        let evidence: Evidence
        /// Whether the link is a button that adds a pass to Apple Wallet.
        var isOfWallet = false
    }

    /// The base of relative references, from `<base>`, or else the URL of the page.
    private(set) var base: WebURL?
    /// Whether relative references cost more than the limit.
    private(set) var hasMore = false
    /// Whether a URL exceeded the limit.
    private(set) var hasLongURL = false

    private var baseSize: Int
    private var hasBase = false
    /// The total length of the base URL over the relative links so far, in bytes.
    private var resolvedSize = 0
    private let types: TypeMap
    private let limits: LinkLimits
    private var button: Button?
    /// The target of the open form, to which its buttons lead.
    private var form: [[UInt8]] = []
    private var found: [Reference] = []

    /// An open link or button.
    private struct Button {
        let name: String
        var references: [[UInt8]]
        var evidence: Evidence
        var label: WalletLabel
    }

    init(at page: WebURL?, types: TypeMap, limits: LinkLimits) {
        base = page
        baseSize = page?.text.utf8.count ?? 0
        self.types = types
        self.limits = limits
    }

    mutating func takeFound() -> [Reference] {
        defer { found = [] }
        return found
    }

    /// Adds text to the label of the current link.
    mutating func addText(_ text: [UInt8]) {
        guard button != nil else { return }
        // The scanner keeps the first byte of the next tag.
        let text = text.last == UInt8(ascii: "<") ? text.dropLast() : text
        button?.label.add(CharacterReferences.replaced(in: text))
    }

    /// Reads a tag. The text before it must have been added.
    mutating func take(_ tag: HTMLTag) {
        guard !tag.isEnd else {
            if tag.name == button?.name { finish() }
            if tag.name == "form" { form = [] }
            return
        }
        switch tag.name {
        case "base":
            guard !hasBase, let reference = tag["href"], let url = resolve(reference) else {
                return
            }
            base = url
            baseSize = url.text.utf8.count
            hasBase = true
        case "a", "area", "button":
            begin(tag)
            // `area` has no end tag.
            if tag.name == "area" { finish() }
        default:
            // A button that Outlook draws (VML): `<v:roundrect href="...">`.
            if tag.name.utf8.starts(with: "v:".utf8), tag["href"] != nil { return begin(tag) }
            button?.label.add(tag)
            let evidence = evidence(of: tag)
            let references = references(of: tag)
            if tag.name == "form" {
                let isPost = tag["method"]?.map(\.asciiLowercased).elementsEqual("post".utf8)
                form = isPost == true ? [] : references
            }
            found += references.map { Reference(url: $0, evidence: evidence) }
        }
    }

    /// Begins a link or button.
    private mutating func begin(_ tag: HTMLTag) {
        finish()
        let own = references(of: tag)
        button = Button(
            name: tag.name, references: own.isEmpty && tag.name == "button" ? form : own,
            evidence: evidence(of: tag), label: WalletLabel(types))
        button?.label.add(tag)
    }

    /// Ends the current link.
    mutating func finish() {
        guard var button = button.take() else { return }
        button.label.finish()
        let evidence = button.evidence.union(button.label.namesPass ? .label : [])
        let isOfWallet = button.label.isOfWallet
        found += button.references.map {
            Reference(url: $0, evidence: evidence, isOfWallet: isOfWallet)
        }
    }

    /// The target of a reference; nil if it is invalid or exceeds the limit.
    mutating func resolve(_ reference: [UInt8]) -> WebURL? {
        // A short reference costs as much as its base URL.
        guard resolvedSize <= limits.bases else {
            hasMore = true
            return nil
        }
        resolvedSize += baseSize
        guard reference.count <= limits.url else {
            hasLongURL = true
            return nil
        }
        guard let url = base?.resolve(reference) ?? (base == nil ? WebURL(reference) : nil) else {
            return nil
        }
        guard url.text.utf8.count <= limits.url else {
            hasLongURL = true
            return nil
        }
        return url
    }

    /// Whether a host often explains wallets.
    static func explainsWallets(_ host: String) -> Bool {
        host.hasPrefix("support.") || host.hasPrefix("help.")
            || ["apple.com", "google.com"].contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// The URLs in the attributes of a tag.
    private func references(of tag: HTMLTag) -> [[UInt8]] {
        tag.attributes.filter { attribute in
            if HTMLTag.namesOfLinks.contains(attribute.name) { return true }
            switch attribute.name {
            case "data": return tag.name == "object"
            default:
                // Scripts follow these attributes; a value without a slash is rarely a URL.
                return attribute.name.utf8.starts(with: "data-".utf8)
                    && attribute.value.contains(UInt8(ascii: "/"))
            }
        }.map(\.value)
    }

    /// The evidence in a tag, apart from the URL.
    private func evidence(of tag: HTMLTag) -> Evidence {
        var evidence = Evidence()
        if let name = tag["download"],
            types.isPassName(
                String(streamSafe: name[name.span.trimmed(0..<name.count)]))
        {
            evidence.insert(.fileExtension)
        }
        if let type = tag["type"] {
            let word = type[type.span.trimmed(0..<type.count)].prefix { $0 != UInt8(ascii: ";") }
            if types.isPassMediaType(String(streamSafe: word)) {
                evidence.insert(.mediaType)
            }
        }
        return evidence
    }
}
