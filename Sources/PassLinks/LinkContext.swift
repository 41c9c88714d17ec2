import Bytes
import PassDetection

/// Evidence for a pass in the plain text around a URL: a label, the parameters of a calendar
/// property, or a mailing list's note about a removed attachment.
struct LinkContext {
    /// The lines before the URL, without quotation marks; the last one ends where the URL begins.
    private let lines: [ArraySlice<UInt8>]
    private let types: TypeMap

    /// The length of the text that is examined before a URL, in bytes.
    static let length = 480
    /// The length of the text that is examined after a URL, in bytes.
    private static let lengthAfter = 320
    /// The number of blank lines that may stand between a label and its URL.
    private static let blankLines = 2
    /// The longest label after a URL or number, in bytes.
    static let longestLabel = 60

    /// - Parameter before: The text before a URL.
    init(_ before: ArraySlice<UInt8>, _ types: TypeMap) {
        lines = LinkContext.lines(of: before.suffix(LinkContext.length))
        self.types = types
    }

    /// The evidence in the text before the URL.
    ///
    /// - Parameter isCalendar: Whether the text is iCalendar or vCard.
    func evidence(isCalendar: Bool) -> Evidence {
        guard let line = lines.last.map({ Array($0) }) else { return [] }
        if isCalendar, line.last == UInt8(ascii: ":"), line.contains(UInt8(ascii: ";")) {
            return evidence(ofProperty: line)
        }
        if LinkContext.isOfNote(line) {
            let evidence = evidence(ofNote: lines.dropLast())
            if !evidence.isEmpty || lines.count < 2 { return evidence }
        } else if !LinkContext.label(line[...]).isEmpty {
            return evidence(ofLabelAt: lines.count - 1)
        }
        // The label is the line above, or the last one before blank lines.
        var place = lines.count - 2
        while place >= 0, lines[place].allSatisfy(\.isWhiteSpace) { place -= 1 }
        let blank = lines.count - 2 - place
        guard place >= 0, blank <= LinkContext.blankLines else { return [] }
        guard blank > 0 else { return evidence(ofLabelAt: place) }
        let isOfWallet =
            label(lines[place]).isOfWallet || label(wrapped(place)[...]).isOfWallet
        return isLabelOfNext(place) && isOfWallet ? .label : []
    }

    /// The evidence in a label after the URL, on its line or as the next one; nil if more bytes are
    /// needed.
    func evidence(after text: ArraySlice<UInt8>, isAtEnd: Bool) -> Evidence? {
        // The URL begins its line.
        guard let line = lines.last, LinkContext.label(line).isEmpty else { return [] }
        let text = text.prefix(LinkContext.lengthAfter)
        let lines = LinkContext.lines(of: text)
        guard isAtEnd || lines.count > 3 || text.count == LinkContext.lengthAfter else {
            return nil
        }
        let place = lines.firstIndex { !LinkContext.label($0).isEmpty } ?? 2
        guard place < min(2, lines.count), lines[place].count <= LinkContext.longestLabel else {
            return []
        }
        // A label before another URL is the label of that one.
        let isOfNext =
            lines[place].last { !$0.isWhiteSpace } == UInt8(ascii: ":")
            || place == 1 && lines.count > 2 && LinkContext.holdsURL(lines[2])
        return !isOfNext && label(lines[place]).isOfWallet ? .label : []
    }

    /// The identifier of a link reference that the URL is the target of: `w` in `[w]: https://...`.
    var reference: ArraySlice<UInt8>? {
        guard let line = lines.last,
            let end = line.lastIndex(where: { !$0.isWhiteSpace && !":<".utf8.contains($0) })
        else { return nil }
        let text = line[...end].drop(while: \.isWhiteSpace)
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            return text.dropFirst().dropLast()
        }
        // Lynx and w3m number the links of a page.
        let number = text.dropLast()
        let isNumber = text.last == UInt8(ascii: ".") && number.allSatisfy(\.isASCIIDigit)
        return isNumber && !number.isEmpty ? number : nil
    }

    /// Whether a text is a label.
    func isLabel(_ text: ArraySlice<UInt8>) -> Bool {
        let label = label(text)
        return label.isOfWallet || label.namesPass
    }

    /// Whether a line is the whole label of the URL behind the blank lines below it: no sentence,
    /// and not the label of a URL above it.
    private func isLabelOfNext(_ place: Int) -> Bool {
        let last = lines[place].last { !$0.isWhiteSpace }
        if last == UInt8(ascii: ":") { return true }
        if last == UInt8(ascii: ".") || last == UInt8(ascii: "!") { return false }
        return place == 0 || !LinkContext.holdsURL(lines[place - 1])
    }

    /// The evidence in a line that is a label, or the end of one that was wrapped.
    private func evidence(ofLabelAt place: Int) -> Evidence {
        isLabel(lines[place]) || isLabel(wrapped(place)[...]) ? .label : []
    }

    /// A line, and those before it that continue on it: they end with a space (RFC 3676, 4.1).
    private func wrapped(_ place: Int) -> [UInt8] {
        var text = Array(lines[place])
        var first = place
        while first > 0, lines[first - 1].last == 0x20 {
            first -= 1
            text = lines[first] + text
        }
        return text
    }

    private func label(_ line: ArraySlice<UInt8>) -> WalletLabel {
        var label = WalletLabel(types)
        label.judge(LinkContext.label(line), mayBeNameOnly: false)
        return label
    }

    /// The parameters of a property (RFC 5545, 3.2), such as `FMTTYPE`, `FILENAME` and `LABEL`.
    private func evidence(ofProperty line: [UInt8]) -> Evidence {
        var evidence = Evidence()
        for parameter in line.dropLast().split(separator: UInt8(ascii: ";")).dropFirst() {
            let value = parameter.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            evidence.formUnion(self.evidence(ofValue: value))
            if label(value).isOfWallet { evidence.insert(.label) }
        }
        return evidence
    }

    /// The lines before the URL in Mailman's note of a removed attachment, in any language:
    ///
    ///     A non-text attachment was scrubbed...
    ///     Name: ticket.pkpass
    ///     Type: application/vnd.apple.pkpass
    ///     ...
    ///     URL: <http://lists.example/pipermail/list/attachments/20240101/2f3a/attachment.bin>
    private func evidence(ofNote lines: ArraySlice<ArraySlice<UInt8>>) -> Evidence {
        var evidence = Evidence()
        for line in lines.reversed().prefix(8) {
            guard line.contains(where: { !$0.isWhiteSpace }) else { break }
            let value = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
            evidence.formUnion(self.evidence(ofValue: value))
        }
        return evidence
    }

    private func evidence(ofValue value: ArraySlice<UInt8>) -> Evidence {
        let text = value.filter { $0 != UInt8(ascii: "\"") && !$0.isWhiteSpace }
        let word = String(streamSafe: text)
        if types.isPassMediaType(word) { return .mediaType }
        return text.first != UInt8(ascii: ".") && types.isPassName(word) ? .fileExtension : []
    }

    /// The words before the URL in Mailman's notes, in lower case: "URL" in English and most other
    /// languages, the others from the catalogues of Mailman 2.1.39 (messages/*/mailman.po, `URL:
    /// %(url)s`: ar, el, eo, et, he, ia, pl). Mailman 3 writes no such notes.
    private static let wordsOfNotes = Set(
        [
            "url", "link", "adres", "retadreso", "adresse in internet", "Δικτυακός Τόπος",
            "קישור", "الرابط",
        ].map { Array($0.utf8) })

    private static func isOfNote(_ line: [UInt8]) -> Bool {
        let text = line[line.span.trimmed(0..<line.count)]
        let word = text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "<") }
        let rest = text[word.endIndex...]
        guard word.count <= 40, rest.allSatisfy({ $0.isWhiteSpace || ":<".utf8.contains($0) })
        else { return false }
        let end = word.lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? word.startIndex
        return wordsOfNotes.contains(word[..<end].map(\.asciiLowercased))
    }

    private static func holdsURL(_ line: ArraySlice<UInt8>) -> Bool {
        line.firstRange(of: "://".utf8) != nil
    }

    /// The lines of a text without the marks of quoted mail.
    private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let line = line.last == 0x0D ? line.dropLast() : line
            var quote = line.drop { $0 == 0x20 }
            guard quote.first == UInt8(ascii: ">") else { return line }
            while quote.first == UInt8(ascii: ">") {
                quote = quote.dropFirst()
                if quote.first == 0x20 { quote = quote.dropFirst() }
            }
            return quote
        }
    }

    /// The text of a line without the marks of lists and Markdown; empty if the line holds another
    /// URL. Only its last sentence is a label.
    static func label(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = line
        func isMark(_ byte: UInt8) -> Bool {
            byte.isWhiteSpace || "<>([*_:-|\"'#".utf8.contains(byte)
        }
        // `](<https://...>)`
        let line = line.last == UInt8(ascii: "<") ? line.dropLast() : line
        while let last = text.last, isMark(last) { text.removeLast() }
        text = text.drop(while: isMark)
        if text.last == UInt8(ascii: "]"), line.last == UInt8(ascii: "(") {
            text.removeLast()
            if let image = text.firstRange(of: "![".utf8) {
                // `[![Add to Apple Wallet](badge.png)](`: the label is that of the image.
                let name = text[image.upperBound...].prefix { $0 != UInt8(ascii: "]") }
                // Before the image's own URL, nothing follows its label.
                return name.endIndex < text.endIndex ? name : []
            } else if let bracket = text.lastIndex(of: UInt8(ascii: "[")) {
                text = text[(bracket + 1)...]
            }
            return text
        }
        // The image of a link is not its target.
        if line.suffix(2).elementsEqual("](".utf8) || holdsURL(text) { return [] }
        if let end = text.lastIndex(where: { ".!?".utf8.contains($0) }),
            end + 1 < text.endIndex, text[end + 1].isWhiteSpace
        {
            text = text[(end + 1)...].drop(while: isMark)
        }
        return text
    }
}
