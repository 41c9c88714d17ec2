import Bytes
import MIME
import MailContainers
import PassDetection
import PassLinks
import Platform

/// Searches texts for links to passes and for passes in `data:` URLs, and reports external bodies.
/// Fetches nothing.
struct LinkSearch {
    private let options: ImportOptions
    /// The number of links in the current message so far, and of `data:` URLs.
    private var found = 0
    private var foundData = 0
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
        foundData = 0
        dataSize = 0
        reported.removeAll()
    }

    /// Searches the text of a part.
    mutating func search(
        _ part: CollectedPart, _ form: TextForm, at location: PartLocation,
        into events: inout [Event]
    ) throws(FileError) {
        if form.isHTML, let decoding = try part.propertyListDecoding {
            let list = try BodyDecoder.decode(part.body, decoding, spool: options.spool)
            return try search(list, form, names: part.header.names, at: location, into: &events)
        }
        var finder = finder(form, names: part.header.names)
        try part.readText(form, spool: options.spool) { finder.feed($0) }
        finder.finish()
        report(finder, at: location, into: &events)
    }

    /// Searches a file with the name of a text file.
    mutating func search(
        _ octets: SpooledBytes, name: String, at location: PartLocation, into events: inout [Event]
    ) throws(FileError) {
        guard let form = TextForm(name: name) else { return }
        try search(octets, form, names: [name], at: location, into: &events)
    }

    /// Searches a decoded text.
    ///
    /// - Parameter names: The names of its file; nil for those that its location declares.
    mutating func search(
        _ octets: SpooledBytes, _ form: TextForm, names: [String]? = nil,
        at location: PartLocation, into events: inout [Event]
    ) throws(FileError) {
        if options.links == nil, try !octets.mayHoldDataURL(form) { return }
        var finder = finder(form, names: names ?? location.header.names)
        if form.isHTML, try octets.beginsPropertyList {
            try PropertyListFile.readTexts(octets) { finder.feed($0) }
        } else {
            try octets.readText(form) { finder.feed($0) }
        }
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

    /// Whether a `data:` URL has too little data for a pass: a text mentions such URLs.
    private static func isMention(_ url: [UInt8]) -> Bool {
        let data = url.drop { $0 != UInt8(ascii: ",") }.prefix(4096)
        return data.count { Base64.isDigit($0) } < shortestData
    }

    /// In bytes. A signature alone is longer.
    private static let shortestData = 256

    private var limits: LinkLimits { options.links ?? LinkLimits() }

    private func finder(_ form: TextForm, names: [String]) -> LinkFinder {
        var limits = limits
        let mostData = max(limits.links - foundData, 0)
        limits.links = max(limits.links - found, 0)
        limits.data = max(limits.data - dataSize, 0)
        limits.dataHead = .max
        let onlyData = options.links == nil
        return LinkFinder(
            isHTML: form.isHTML, isFolded: form.isFolded, readsTags: !onlyData,
            types: options.types, limits: limits, onlyData: onlyData, mostData: mostData,
            shortcut: names.contains(where: isNameOfShortcut) ? .fileExtension : [])
    }

    /// Whether a name is that of a shortcut to a pass: `ticket.pkpass.url`.
    private func isNameOfShortcut(_ name: String) -> Bool {
        let bytes = name.utf8.span
        guard let word = bytes.fileExtension(in: bytes.indices),
            LinkSearch.shortcuts.contains(where: { bytes.equals(caseInsensitive: $0, in: word) })
        else { return false }
        return options.types.isPassName(String(Substring(name.utf8.prefix(word.lowerBound - 1))))
    }

    private static let shortcuts: [StaticString] = ["webloc", "url", "website", "desktop"]

    private mutating func report(
        _ finder: LinkFinder, at location: PartLocation, into events: inout [Event]
    ) {
        let data = finder.links.count(where: \.isData)
        foundData += data
        found += finder.links.count - data
        for link in finder.links { take(link, at: location, into: &events) }
        func report(_ limit: Problem.Limit) {
            guard reported.insert(limit.code).inserted else { return }
            events.append(location.problem(.limit(limit)))
        }
        if finder.hasMore { report(.links(limits.links)) }
        if finder.hasLongURL { report(.linkSize(bytes: limits.url)) }
        if finder.links.contains(where: { $0.isData && $0.size != nil }) {
            report(.linkData(bytes: limits.data))
        }
    }

    private mutating func take(_ link: Link, at location: PartLocation, into events: inout [Event])
    {
        guard link.isData else {
            events.append(.link(location.link(link)))
            return
        }
        let url = Array(link.url.utf8)
        dataSize += url.count
        guard link.size != nil || !LinkSearch.isMention(url) else { return }
        let head = LinkLimits().dataHead
        let shown =
            url.count <= head
            ? link
            : Link(
                url: Charset.guess(Array(url.prefix(head))), size: link.size ?? url.count,
                evidence: link.evidence)
        if options.links != nil, !link.evidence.isDisjoint(with: .ofLinks) {
            events.append(.link(location.link(shown)))
        }
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

extension CollectedPart {
    /// The decoding of a body that is a binary property list: the shortcut to a web page.
    fileprivate var propertyListDecoding: BodyDecoding? {
        get throws(FileError) {
            if try body.beginsPropertyList { return .identity }
            let start = try body.array(0..<16)
            return start.span.hasPrefix("YnBsaXN0M", at: 0) ? .base64 : nil
        }
    }
}

extension SpooledBytes {
    fileprivate var beginsPropertyList: Bool {
        get throws(FileError) {
            let start = try array(0..<8)
            return start.span.hasPrefix("bplist0", at: 0)
        }
    }
}

extension PartLocation {
    fileprivate func link(_ link: Link) -> FoundLink {
        FoundLink(source: source, message: message, part: part, link: link)
    }
}
