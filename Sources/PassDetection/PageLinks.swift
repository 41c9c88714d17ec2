import Bytes

/// Finds the links to passes in a web page that was fetched, relative ones too, as the page comes. They
/// are http, https and `data:` URLs, absolute, each once, without fragments.
package struct PageLinks {
    /// In the order of the page: first those of tags, then those that stand elsewhere.
    package private(set) var links: [Link] = []
    /// The page's title, as people see it: its first 120 characters.
    package private(set) var title: String?
    /// Where browsers go on to from this page by themselves (`<meta http-equiv="refresh">`).
    package private(set) var refresh: String?
    /// Whether there were more links than the limits.
    package private(set) var hasMore = false
    /// Whether a URL was longer than the limit, so that it was left out.
    package private(set) var hasLongURL = false

    private let page: WebURL
    private var base: WebURL
    private var baseSize: Int
    private var hasBase = false
    /// How much of the base was put before relative links so far, in bytes.
    private var resolvedSize = 0
    private let types: TypeMap
    private let limits: LinkLimits
    private let passURL: PassURL
    private var finder: LinkFinder
    private var scanner: HTMLScanner
    private var button: Button?
    private var seen: [String: Int] = [:]

    /// A link that has not ended, with what is written on it.
    private struct Button {
        let name: String
        var references: [[UInt8]]
        var evidence: Evidence
        var label = WalletLabel()
    }

    /// - Parameter url: Where the page came from, after redirects.
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

    /// Takes the next piece of the page, which is UTF-8.
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
        // What scripts and styles say, nobody sees.
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
            // It has no end.
            if tag.name == "area" { endButton() }
        default:
            button?.label.add(tag)
            let evidence = evidence(of: tag)
            for reference in references(of: tag) { add(reference, evidence) }
        }
    }

    /// Adds what was written since the last tag to what is written on the link at hand.
    private mutating func addText() {
        guard button != nil else { return }
        button?.label.add(CharacterReferences.replaced(in: scanner.text))
    }

    /// What the attributes of a tag name.
    private func references(of tag: HTMLTag) -> [[UInt8]] {
        tag.attributes.filter { attribute in
            if HTMLTag.namesOfLinks.contains(attribute.name) { return true }
            switch attribute.name {
            case "data": return tag.name == "object"
            default:
                // Scripts follow these; one without a slash mostly is no URL.
                return attribute.name.utf8.starts(with: "data-".utf8)
                    && attribute.value.contains(UInt8(ascii: "/"))
            }
        }.map(\.value)
    }

    /// What a tag says of where it leads, beside the URL itself.
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

    /// Adds where a reference leads, if something speaks for a pass there.
    private mutating func add(
        _ reference: [UInt8], _ evidence: Evidence, isOfWallet: Bool = false
    ) {
        let text = WebURL.cleaned(reference[...])
        var evidence = isOfWallet ? evidence.union(.label) : evidence
        if text.span.hasPrefix(caseInsensitive: "data:", at: 0) {
            let type = text.dropFirst(5).prefix { $0 != UInt8(ascii: ",") && $0 != 0x3B }
            evidence.formUnion(passURL.evidence(dataType: Array(type)))
            add(String(streamSafe: text), evidence)
            return
        }
        guard let url = resolve(text), url != page else { return }
        evidence.formUnion(passURL.evidence(Array(url.text.utf8)))
        // Whose wallets they are, explains them on many pages.
        let explains = ["apple.com", "google.com"].contains { name in
            url.host == name || url.host.hasSuffix(".\(name)")
        }
        if explains { evidence.remove(.label) }
        add(url.text, evidence)
    }

    /// Where a reference leads; nil for nowhere, and for what is longer than the limit.
    private mutating func resolve(_ reference: [UInt8]) -> WebURL? {
        // However short a reference is, it costs what its base does.
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

    /// `content="5; url='page'"`, and what is close to it (HTML, 4.2.5.3).
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

    /// On one line, with its character references replaced.
    private static func title(_ text: [UInt8]) -> String? {
        let text = String(streamSafe: CharacterReferences.replaced(in: text))
        let words = text.split(whereSeparator: \.isWhitespace)
        let title = String(words.joined(separator: " ").prefix(120))
        return title.isEmpty ? nil : title
    }
}
