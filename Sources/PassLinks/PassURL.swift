import Bytes
import PassDetection

/// Judges from a URL alone, without network access, whether it leads to a pass.
struct PassURL {
    private let types: TypeMap

    /// The maximum number of nested URLs examined.
    private static let depth = 4

    init(_ types: TypeMap) {
        self.types = types
    }

    /// The evidence in an http URL, and in URLs wrapped in it by redirectors and link scanners.
    func evidence(_ url: [UInt8]) -> Evidence {
        var evidence = Evidence()
        var waiting = [(url: url, depth: 1)]
        while let (url, depth) = waiting.popLast() {
            guard let parts = URLParts(url) else { continue }
            if let name = parts.segments.last, isPassName(name[...]) {
                evidence.insert(.fileExtension)
            }
            for parameter in parts.parameters { evidence.formUnion(self.evidence(parameter)) }
            if PassHost.handsOut(parts) { evidence.insert(.host) }
            guard depth < PassURL.depth else { continue }
            for inner in wrapped(parts) { waiting.append((inner, depth + 1)) }
        }
        return evidence
    }

    /// The evidence in the media type of a `data:` URL (RFC 2397).
    func evidence(dataType type: [UInt8]) -> Evidence {
        isPassType(URLParts.decoded(type[...])) ? .mediaType : []
    }

    private func isPassType(_ value: [UInt8]) -> Bool {
        value.contains(UInt8(ascii: "/"))
            && types.isPassMediaType(
                String(streamSafe: value[value.span.trimmed(0..<value.count)]))
    }

    /// The evidence in a query parameter: the media type of a pass, or its file name.
    private func evidence(_ parameter: (name: [UInt8], value: [UInt8])) -> Evidence {
        if isPassType(parameter.value) { return .mediaType }
        let isNamed = !isForWords(parameter.name) && isPassName(PassURL.fileName(parameter.value))
        return isNamed ? .fileExtension : []
    }

    private func isPassName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            name.count - (dot - name.startIndex) <= 64
        else { return false }
        // Everything before the extension may be long, and is irrelevant.
        return types.isPassName(String(streamSafe: name[dot...]))
    }

    /// The file name at the end of a value: of a path, or in `attachment; filename="a.pkpass"`.
    private static func fileName(_ value: [UInt8]) -> ArraySlice<UInt8> {
        var name = value[value.span.trimmed(0..<value.count)]
        if name.last == UInt8(ascii: "\"") { name = name.dropLast() }
        let edge = name.lastIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
                || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=")
        }
        return edge.map { name[($0 + 1)...] } ?? name
    }

    /// Whether a parameter holds free text, which may mention passes.
    private func isForWords(_ name: [UInt8]) -> Bool {
        let name = String(streamSafe: name.map(\.asciiLowercased))
        return PassURL.namesOfWords.contains(name)
    }

    private static let namesOfWords: Set<String> = [
        "q", "query", "s", "search", "keyword", "keywords", "text", "title", "subject", "body",
        "message", "utm_campaign", "utm_content", "utm_term",
    ]

    /// The URLs contained in a URL.
    private func wrapped(_ parts: URLParts) -> [[UInt8]] {
        var urls = parts.parameters.map(\.value)
        urls += parts.segments
        if parts.host.elementsEqual("urldefense.proofpoint.com".utf8) {
            // Proofpoint URL Defense, version 2: `-3A` for `%3A`, `_` for `/`.
            urls += parts.parameters.map { parameter in
                URLParts.decoded(
                    parameter.value.map { byte in
                        switch byte {
                        case UInt8(ascii: "-"): UInt8(ascii: "%")
                        case UInt8(ascii: "_"): UInt8(ascii: "/")
                        default: byte
                        }
                    }[...])
            }
        } else if parts.path.span.hasPrefix("/v3/__", at: 0),
            let end = parts.path.indices.last(where: { parts.path.span.hasPrefix("__;", at: $0) }),
            end > 6
        {
            // Version 3: `/v3/__https://x.example/a.pkpass__;...`, also on customers' hosts.
            urls.append(Array(parts.path[6..<end]))
        }
        urls += urls.flatMap(PassURL.encoded)
        return urls.filter {
            $0.span.hasPrefix(caseInsensitive: "http", at: 0) && URLParts.authority($0.span) != nil
        }
    }

    /// The URLs in base64, by themselves (Sophos) or in JSON (Mandrill, whose JSON holds JSON):
    ///
    ///     https://eu-west-1.protection.sophos.com/?d=tickets.example&u=aHR0cHM6Ly90aWNr...
    ///     https://mandrillapp.com/track/click/1/tickets.example?p=eyJzIjoiLi4uIiwidiI6...
    private static func encoded(_ value: [UInt8]) -> [[UInt8]] {
        let isJSON = value.span.hasPrefix("eyJ", at: 0)
        guard isJSON || value.span.hasPrefix("aHR0c", at: 0) else { return [] }
        let digits = value.map { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        guard Base64.digitCount(digits.span) != nil else { return [] }
        let text = Base64.decode(digits.span, 0..<digits.count)
        guard isJSON else { return [text] }
        return text.filter { $0 != UInt8(ascii: "\\") }.split(separator: UInt8(ascii: "\""))
            .map { Array($0) }
    }
}
