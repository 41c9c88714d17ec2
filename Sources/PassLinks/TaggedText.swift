import Bytes
import PassDetection

/// Finds the links of a mail in HTML whose tags or labels show that they lead to passes, and those
/// relative to `<base>`. `LinkFinder` finds the other ones.
struct TaggedText {
    /// Without duplicates. Absolute URLs are written as in the mail.
    private(set) var links: [(url: [UInt8], evidence: Evidence)] = []
    /// Whether there were more links than the limits allow.
    private(set) var hasMore = false
    var hasLongURL: Bool { tags.hasLongURL }

    private let limits: LinkLimits
    private let tagLimits: LinkLimits
    private let passURL: PassURL
    private var scanner: HTMLScanner
    private var tags: TagLinks
    private var seen: [[UInt8]: Int] = [:]
    /// The relative references before `<base>`, which holds for the whole page.
    private var relative: [TagLinks.Reference] = []
    private var relativeSize = 0

    /// The total length of relative references that are kept, in bytes.
    private static let longestRelative = 1 << 20

    init(_ types: TypeMap, _ limits: LinkLimits) {
        self.limits = limits
        passURL = PassURL(types)
        // `data:` URLs are not links of this kind.
        var ofTags = limits
        ofTags.data = 0
        tagLimits = ofTags
        scanner = HTMLScanner(ofTags)
        tags = TagLinks(at: nil, types: types, limits: ofTags)
    }

    mutating func feed(_ piece: Span<UInt8>) {
        var place = 0
        while let tag = scanner.next(piece, from: &place) {
            if !tag.endsUnseenText { tags.addText(scanner.text) }
            scanner.dropText()
            tags.take(tag)
            addFound()
            if tags.base != nil, !relative.isEmpty {
                for reference in relative { add(reference) }
                forgetRelative()
            }
        }
    }

    /// Ends a text; another one may follow, with the same base URL.
    mutating func endText() {
        finish()
        scanner = HTMLScanner(tagLimits)
        forgetRelative()
    }

    private mutating func forgetRelative() {
        relative = []
        relativeSize = 0
    }

    mutating func finish() {
        tags.addText(scanner.text)
        tags.finish()
        addFound()
        hasMore = hasMore || tags.hasMore
    }

    private mutating func addFound() {
        for reference in tags.takeFound() { add(reference) }
    }

    /// Keeps a relative reference until a base is known.
    private mutating func keep(_ reference: TagLinks.Reference) {
        let size = reference.url.count
        guard size > 0, relative.count < limits.links,
            relativeSize + size <= TaggedText.longestRelative
        else { return }
        relativeSize += size
        relative.append(reference)
    }

    private mutating func add(_ reference: TagLinks.Reference) {
        var evidence = reference.evidence
        var url = LinkEnclosure.attribute(quote: 0)
            .url(reference.url.span, 0..<reference.url.count)
        if URLScheme(of: url) == nil, URLParts.authority(url.span) == nil {
            guard tags.base != nil else { return keep(reference) }
            guard let resolved = tags.resolve(reference.url) else { return }
            url = Array(resolved.text.utf8)
            evidence.formUnion(passURL.evidence(url))
        }
        guard reference.isOfWallet || !evidence.isEmpty, let parts = URLParts(url) else { return }
        if reference.isOfWallet, !TagLinks.explainsWallets(String(streamSafe: parts.host)) {
            evidence.insert(.label)
        }
        guard !evidence.isEmpty, url.count <= limits.url else { return }
        if let place = seen[url] {
            links[place].evidence.formUnion(evidence)
        } else if links.count < limits.links {
            seen[url] = links.count
            links.append((url, evidence))
        } else {
            hasMore = true
        }
    }
}
