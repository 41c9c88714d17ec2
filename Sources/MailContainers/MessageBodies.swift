import Bytes
import MIME
import Platform

/// Reads the bodies of a message in one of Outlook's formats, and keeps those in which something
/// may be found: passes in `data:` URLs and, if wanted, links.
struct MessageBodies {
    /// A header and the octets of each text and embedded file, in order.
    private(set) var found: [(header: PartHeader, octets: SpooledBytes)] = []
    private(set) var problems: [BodyProblem] = []
    private var reported: Set<BodyProblem> = []
    private let wanted: WantedText
    /// The bytes of decompressed bodies that may follow.
    private var bytesLeft: Int
    private let limit: Int

    /// A property with a body.
    struct Stored {
        let form: Form
        /// As far as they are present.
        let octets: SpooledBytes
        /// As announced, in bytes.
        let size: Int
        /// The code page of text that is not RTF; 0 if it is unknown.
        var codePage = 0

        var isCut: Bool { octets.count < size }
    }

    enum Form: String {
        case text = "body.txt"
        case page = "body.html"
        case richText = "body.rtf"
    }

    /// Shorter bodies contain no pass: an encoded pass has at least two thousand bytes.
    private static let shortest = 2000

    init(_ wanted: WantedText, limit: Int) {
        self.wanted = wanted
        self.limit = limit
        bytesLeft = limit
    }

    /// Whether something may be found in a body of this size.
    func mayHold(_ size: Int) -> Bool {
        switch wanted {
        case .none: false
        case .withFiles: size >= MessageBodies.shortest
        case .all: size > 0
        }
    }

    /// Reads the bodies of a message. The RTF repeats the page, if there is one.
    mutating func read(_ bodies: [Stored], in prefix: String = "") throws(FileError) {
        var hasPage = false
        let order = bodies.filter { $0.form != .richText } + bodies.filter { $0.form == .richText }
        for body in order where mayHold(body.size) {
            let reason = try read(body, &hasPage)
            if let reason { report(reason, of: prefix + body.form.rawValue) }
        }
    }

    mutating func report(_ reason: BodyProblem.Reason, of name: String) {
        let problem = BodyProblem(name: name, reason: reason)
        if reported.insert(problem).inserted { problems.append(problem) }
    }

    private mutating func read(
        _ body: Stored, _ hasPage: inout Bool
    ) throws(FileError) -> BodyProblem.Reason? {
        if body.form == .richText {
            let reason = try read(richText: body.octets, hasPage: hasPage)
            return body.isCut ? .truncated : reason
        }
        guard let text = try CodePage.readable(body.octets, body.codePage) else {
            return .unknownCodePage(body.codePage)
        }
        hasPage = hasPage || body.form == .page && !body.isCut
        try keep(text, named: body.form.rawValue)
        return body.isCut ? .truncated : nil
    }

    private mutating func read(
        richText octets: SpooledBytes, hasPage: Bool
    ) throws(FileError) -> BodyProblem.Reason? {
        guard let rtf = try CompressedRTF(octets) else { return .truncated }
        guard rtf.size <= bytesLeft else { return .tooLarge(limit: limit) }
        bytesLeft -= rtf.size
        var reader = RichText(SpoolPolicy())
        var reason = try rtf.read { piece throws(FileError) in try reader.feed(piece) }
        try reader.end()
        if reason == nil, reader.isTooDeep { reason = .nestedTooDeep(limit: RichText.depthLimit) }
        if reason == nil, reader.hasDamagedPackage { reason = .damaged }
        let packages = reader.packages
        let name = reader.isPlainText ? Form.text.rawValue : Form.page.rawValue
        let text = try reader.finish()
        if !hasPage { try keep(text, named: name) }
        found += packages.map { ($0.header, $0.file) }
        return reason
    }

    private mutating func keep(_ text: SpooledBytes, named name: String) throws(FileError) {
        guard let form = TextForm(name: name) else { return }
        let isKept =
            switch wanted {
            case .none: false
            case .withFiles: try text.mayHoldDataURL(form)
            case .all: !text.isEmpty
            }
        if isKept { found.append((PartHeader(names: [name]), text)) }
    }
}
