internal import Bytes
public import Foundation

/// The text of a field's attributed value: HTML in which Wallet supports only the element `a`.
///
/// ```swift
/// for link in field.attributedText?.links ?? [] { print(link.text, link.url) }
/// ```
public struct AttributedText: Sendable, Hashable {
    /// A link in the text.
    ///
    /// For example: `AttributedText("<a href='tel:+351210000000'>Call us</a>").links.first?.url`
    public struct Link: Sendable, Hashable {
        /// The text of the link.
        public let text: String
        /// The target of the link.
        public let url: URL
    }

    /// The text without tags, with entities resolved.
    public let text: String
    /// The links in text order.
    public let links: [Link]

    /// Parses the HTML; unknown tags and entities are kept as text.
    ///
    /// For example: `AttributedText("Bags &amp; <b>seats</b>").text == "Bags & seats"`
    public init(_ html: String) {
        var text = ""
        var links: [Link] = []
        var open: (url: URL, start: Int)?
        var rest = html[...].utf8
        func closeLink() {
            guard let (url, start) = open else { return }
            let label = String(Substring(text.utf8.dropFirst(start))).streamSafe
            links.append(Link(text: label, url: url))
            open = nil
        }
        while let bracket = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += resolvingEntities(rest[..<bracket])
            rest = rest[bracket...]
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            let tag = rest[..<end].dropFirst()
            rest = rest[end...].dropFirst()
            let name = String(Substring(tag)).prefix { $0.isLetter || $0 == "/" }
            // VIOLATIONS.md, P23: other elements than `a`.
            switch name.asciiLowercased {
            case "a":
                closeLink()
                open = reference(in: tag).flatMap(URL.init(string:)).map { ($0, text.utf8.count) }
            case "/a": closeLink()
            case "br", "br/", "/p": text += "\n"
            case "": text += "<\(Substring(tag))>"
            default: break
            }
        }
        text += resolvingEntities(rest)
        closeLink()
        // Resolving references may have created a long run.
        self.text = text.streamSafe
        self.links = links
    }
}

/// The value of `href`, quoted or unquoted.
private func reference(in tag: Substring.UTF8View) -> String? {
    let isName = { (place: String.Index) in
        tag[place...].starts(with: "href".utf8) { $0.asciiLowercased == $1 }
    }
    guard let name = tag.indices.first(where: isName) else { return nil }
    let value = tag[name...].dropFirst(4).drop(while: \.isWhiteSpace)
    guard value.first == UInt8(ascii: "=") else { return nil }
    let quoted = value.dropFirst().drop(while: \.isWhiteSpace)
    if let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        return resolvingEntities(quoted.dropFirst().prefix { $0 != quote })
    }
    return resolvingEntities(quoted.prefix { !$0.isWhiteSpace })
}

/// The text with references to characters resolved; others are text.
func resolvingEntities(_ text: Substring.UTF8View) -> String {
    var resolved = ""
    var rest = text
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
        resolved += String(Substring(rest[..<ampersand]))
        rest = rest[ampersand...].dropFirst()
        let name = rest.prefix(10).prefix { $0 != UInt8(ascii: ";") }
        let end = rest.dropFirst(name.count)
        if end.first == UInt8(ascii: ";"), let character = entity(String(Substring(name))) {
            resolved.append(character)
            rest = end.dropFirst()
        } else {
            resolved.append("&")
        }
    }
    return resolved + String(Substring(rest))
}

private func entity(_ name: String) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default:
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let code =
            digits.asciiLowercased.hasPrefix("x")
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map(Character.init)
    }
}
