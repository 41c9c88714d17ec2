import Bytes
import MIME
import PassDetection
import PassLinks
import Platform

/// Searches texts for links to passes, and reports external bodies. Fetches nothing.
struct LinkSearch {
    private let options: ImportOptions
    /// The number of links in the current message so far.
    private var found = 0
    /// The size of `data:` URLs kept, in bytes.
    private var dataSize = 0
    /// The contents of `data:` URLs in the text searched last.
    private var held: [DataURL] = []
    /// The limits already reported as exceeded.
    private var reported: Set<String> = []

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Begins a message or file, and resets the limits.
    mutating func beginSource() {
        found = 0
        dataSize = 0
        reported.removeAll()
    }

    /// Searches the text of a part.
    mutating func search(
        _ part: CollectedPart, _ form: TextForm, at location: PartLocation,
        into events: inout [Event]
    ) throws(FileError) {
        guard var finder = finder(form) else { return }
        try part.readText(form, spool: options.spool) { finder.feed($0) }
        finder.finish()
        report(finder, at: location, into: &events)
    }

    /// Searches a file with the name of a text file.
    mutating func search(
        _ octets: SpooledBytes, name: String, at location: PartLocation, into events: inout [Event]
    ) throws(FileError) {
        guard let form = try TextForm(of: octets, name: name), var finder = finder(form) else {
            return
        }
        try octets.readText(form) { finder.feed($0) }
        finder.finish()
        report(finder, at: location, into: &events)
    }

    mutating func takeHeld() -> [DataURL] {
        defer { held = [] }
        return held
    }

    /// Reports an external body that may be a pass; others are ignored.
    mutating func report(
        _ external: ExternalBody, _ part: CollectedPart, at location: PartLocation,
        into events: inout [Event]
    ) throws(FileError) {
        // Mutt deletes attachments like this.
        guard external.accessType != "x-mutt-deleted" else { return }
        let header = try part.phantomHeader(limits: options.mime)
        let declaration = options.types.declaration(header.named(header.names + [external.name]))
        let url = Array(external.url.utf8)
        let evidence = declaration.evidence.union(
            LinkFinder.evidence(of: url, types: options.types))
        guard !evidence.isEmpty || header.saysNothingOfContents else { return }
        events.append(location.problem(.externalBody(place: external.place)))
        guard options.links != nil, external.accessType == "url", !url.isEmpty else { return }
        events.append(
            .link(location.link(Link(url: external.url, evidence: evidence.intersection(.ofLinks))))
        )
    }

    private func finder(_ form: TextForm) -> LinkFinder? {
        guard var limits = options.links else { return nil }
        limits.links = max(limits.links - found, 0)
        limits.data = max(limits.data - dataSize, 0)
        if options.readsDataLinks { limits.dataHead = .max }
        return LinkFinder(isHTML: form.isHTML, types: options.types, limits: limits)
    }

    private mutating func report(
        _ finder: LinkFinder, at location: PartLocation, into events: inout [Event]
    ) {
        guard let limits = options.links else { return }
        found += finder.links.count
        for link in finder.links { take(link, at: location, into: &events) }
        func report(_ limit: Problem.Limit) {
            guard reported.insert(limit.code).inserted else { return }
            events.append(location.problem(.limit(limit)))
        }
        if finder.hasMore { report(.links(limits.links)) }
        if finder.hasLongURL { report(.linkSize(bytes: limits.url)) }
        if options.readsDataLinks, finder.links.contains(where: { $0.isData && $0.size != nil }) {
            report(.linkData(bytes: limits.data))
        }
    }

    private mutating func take(_ link: Link, at location: PartLocation, into events: inout [Event])
    {
        guard options.readsDataLinks, link.isData else {
            events.append(.link(location.link(link)))
            return
        }
        let url = Array(link.url.utf8)
        dataSize += url.count
        let head = LinkLimits().dataHead
        let shown =
            url.count <= head
            ? link
            : Link(
                url: Charset.guess(Array(url.prefix(head))), size: link.size ?? url.count,
                evidence: link.evidence)
        events.append(.link(location.link(shown)))
        guard link.size == nil else { return }
        do throws(DataURLError) {
            held.append(try DataURL(url))
        } catch {
            events.append(location.problem(.dataURL(error)))
        }
    }
}

extension Link {
    fileprivate var isData: Bool {
        DataURL.isData(url.utf8)
    }
}

extension PartLocation {
    fileprivate func link(_ link: Link) -> FoundLink {
        FoundLink(source: source, message: message, part: part, link: link)
    }
}
