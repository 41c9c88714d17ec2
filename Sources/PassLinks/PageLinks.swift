import Bytes
package import PassDetection

/// Finds the links to passes in a fetched web page as it arrives: http, https and `data:` URLs,
/// resolved to absolute ones, without duplicates and fragments.
package struct PageLinks {
    /// Links from tags in page order, then other URLs.
    package private(set) var links: [Link] = []
    /// The page title as displayed: its first 120 characters.
    package private(set) var title: String?
    /// The URL to which browsers redirect automatically (`<meta http-equiv="refresh">`).
    package private(set) var refresh: String?
    /// Whether there were more links than the limits allow.
    package private(set) var hasMore = false
    /// Whether a URL was skipped because it exceeded the limit.
    package private(set) var hasLongURL = false

    private let page: WebURL
    private var base: WebURL
    private var baseSize: Int
    private var hasBase = false
    /// The total length of the base URL over the relative links so far, in bytes.
    private var resolvedSize = 0
    private let types: TypeMap
    private let limits: LinkLimits
    private let passURL: PassURL
    private var finder: LinkFinder
    private var scanner: HTMLScanner
    private var button: Button?
    private var seen: [String: Int] = [:]

    /// An open link or button, with the text on it.
    private struct Button {
        let name: String
        var references: [[UInt8]]
        var evidence: Evidence
        var label = WalletLabel()
    }

    /// - Parameter url: The URL of the page, after redirects.
    package init(at url: WebURL, types: TypeMap, limits: LinkLimits = LinkLimits()) {
        page = url
        base = url
        baseSize = url.text.utf8.count
        self.types = types
        self.limits = limits
        passURL = PassURL(types)
        finder = LinkFinder(isHTML: true, types: types, limits: limits)
        scanner = HTMLScanner(limits)
    }

    /// Searches the next piece of the page, in UTF-8.
    package mutating func feed(_ piece: Span<UInt8>) {
        finder.feed(piece)
        var place = 0
        while let tag = scanner.next(piece, from: &place) {
            take(tag)
            scanner.dropText()
        }
    }

    /// Ends the page.
    package mutating func finish() {
        finder.finish()
        addText()
        endButton()
        for link in finder.links where link.size == nil {
            add(Array(link.url.utf8), link.evidence)
        }
        hasMore = hasMore || finder.hasMore
        hasLongURL = hasLongURL || finder.hasLongURL
    }

    private mutating func take(_ tag: HTMLTag) {
        hasLongURL = hasLongURL || tag.isCut
        // The contents of scripts and styles are not displayed.
        let isUnseen = tag.isEnd && (tag.name == "script" || tag.name == "style")
        if !isUnseen { addText() }
        guard !tag.isEnd else {
            if tag.name == button?.name { endButton() }
            if tag.name == "title", title == nil { title = PageLinks.title(scanner.text) }
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
        case "meta": takeMeta(tag)
        case "a", "area", "button":
            endButton()
            button = Button(
                name: tag.name, references: references(of: tag), evidence: evidence(of: tag))
            button?.label.add(tag)
            // `area` has no end tag.
            if tag.name == "area" { endButton() }
        default:
            button?.label.add(tag)
            let evidence = evidence(of: tag)
            for reference in references(of: tag) { add(reference, evidence) }
        }
    }

    /// Adds the text since the last tag to the label of the current link.
    private mutating func addText() {
        guard button != nil else { return }
        button?.label.add(CharacterReferences.replaced(in: scanner.text))
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

    private mutating func endButton() {
        guard let button = button.take() else { return }
        let isOfWallet = button.label.isOfWallet
        for reference in button.references {
            add(reference, button.evidence, isOfWallet: isOfWallet)
        }
    }

    /// Adds the target of a reference if there is evidence for a pass.
    private mutating func add(
        _ reference: [UInt8], _ evidence: Evidence, isOfWallet: Bool = false
    ) {
        let text = WebURL.cleaned(reference[...])
        var evidence = isOfWallet ? evidence.union(.label) : evidence
        if DataURL.isData(text) {
            let type = text.dropFirst(5).prefix { $0 != UInt8(ascii: ",") && $0 != 0x3B }
            evidence.formUnion(passURL.evidence(dataType: Array(type)))
            add(String(streamSafe: text), evidence)
            return
        }
        guard let url = resolve(text), url != page else { return }
        evidence.formUnion(passURL.evidence(Array(url.text.utf8)))
        // Pages of Apple and Google often explain their wallets.
        let explains = ["apple.com", "google.com"].contains { name in
            url.host == name || url.host.hasSuffix(".\(name)")
        }
        if explains { evidence.remove(.label) }
        add(url.text, evidence)
    }

    /// The target of a reference; nil if it is invalid or exceeds the limit.
    private mutating func resolve(_ reference: [UInt8]) -> WebURL? {
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
        guard let url = base.resolve(reference) else { return nil }
        guard url.text.utf8.count <= limits.url else {
            hasLongURL = true
            return nil
        }
        return url
    }

    private mutating func add(_ url: String, _ evidence: Evidence) {
        guard !evidence.isEmpty else { return }
        if let place = seen[url] {
            links[place] = Link(url: url, evidence: links[place].evidence.union(evidence))
            return
        }
        guard links.count < limits.links else {
            hasMore = true
            return
        }
        seen[url] = links.count
        links.append(Link(url: url, evidence: evidence))
    }

    /// Reads `content="5; url='page'"` and variants (HTML, 4.2.5.3).
    private mutating func takeMeta(_ tag: HTMLTag) {
        guard refresh == nil, let kind = tag["http-equiv"],
            kind.map(\.asciiLowercased).elementsEqual("refresh".utf8), let content = tag["content"]
        else { return }
        var rest = content.drop { $0.isWhiteSpace || $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        guard let separator = rest.first, separator == 0x3B || separator == UInt8(ascii: ",") else {
            return
        }
        rest = rest.dropFirst().drop(while: \.isWhiteSpace)
        if rest.prefix(3).map(\.asciiLowercased).elementsEqual("url".utf8) {
            let value = rest.dropFirst(3).drop(while: \.isWhiteSpace)
            if value.first == UInt8(ascii: "=") {
                rest = value.dropFirst().drop(while: \.isWhiteSpace)
            }
        }
        if let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
            rest = rest.dropFirst().prefix { $0 != quote }
        }
        guard !rest.isEmpty, let url = resolve(Array(rest)), url != page else { return }
        refresh = url.text
        add(url.text, passURL.evidence(Array(url.text.utf8)))
    }

    /// The title on one line, with character references decoded.
    private static func title(_ text: [UInt8]) -> String? {
        let text = String(streamSafe: CharacterReferences.replaced(in: text))
        let words = text.split(whereSeparator: \.isWhitespace)
        let title = String(words.joined(separator: " ").prefix(120))
        return title.isEmpty ? nil : title
    }
}
