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
    private let limits: LinkLimits
    private let passURL: PassURL
    private var finder: LinkFinder
    private var scanner: HTMLScanner
    private var tags: TagLinks
    private var seen: [String: Int] = [:]

    /// - Parameter url: The URL of the page, after redirects.
    package init(at url: WebURL, types: TypeMap, limits: LinkLimits = LinkLimits()) {
        page = url
        self.limits = limits
        passURL = PassURL(types)
        finder = LinkFinder(isHTML: true, readsTags: false, types: types, limits: limits)
        scanner = HTMLScanner(limits)
        tags = TagLinks(at: url, types: types, limits: limits)
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
        tags.addText(scanner.text)
        tags.finish()
        addFound()
        for link in finder.links where link.size == nil {
            add(TagLinks.Reference(url: Array(link.url.utf8), evidence: link.evidence))
        }
        hasMore = hasMore || finder.hasMore || tags.hasMore
        hasLongURL = hasLongURL || finder.hasLongURL || tags.hasLongURL
    }

    private mutating func take(_ tag: HTMLTag) {
        hasLongURL = hasLongURL || tag.isCut
        if !tag.endsUnseenText { tags.addText(scanner.text) }
        tags.take(tag)
        addFound()
        if tag.isEnd, tag.name == "title", title == nil { title = PageLinks.title(scanner.text) }
        if !tag.isEnd, tag.name == "meta" { takeMeta(tag) }
    }

    private mutating func addFound() {
        for reference in tags.takeFound() { add(reference) }
    }

    /// Adds the target of a reference if there is evidence for a pass.
    private mutating func add(_ reference: TagLinks.Reference) {
        let text = WebURL.cleaned(reference.url[...])
        var evidence = reference.evidence
        if DataURL.isData(text) {
            let type = text.dropFirst(5).prefix { $0 != UInt8(ascii: ",") && $0 != 0x3B }
            evidence.formUnion(passURL.evidence(dataType: Array(type)))
            if reference.isOfWallet { evidence.insert(.label) }
            add(String(streamSafe: text), evidence)
            return
        }
        guard let url = tags.resolve(text), url != page else { return }
        evidence.formUnion(passURL.evidence(Array(url.text.utf8)))
        if reference.isOfWallet, !TagLinks.explainsWallets(url.host) { evidence.insert(.label) }
        add(url.text, evidence)
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
        guard !rest.isEmpty, let url = tags.resolve(Array(rest)), url != page else { return }
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
