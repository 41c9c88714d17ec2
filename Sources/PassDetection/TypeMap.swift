import Bytes
package import MIME

/// The uniform types of passes, with their file extensions and media types.
package struct TypeMap: Sendable {
    package let types: [UniformType]
    // Arrays, because the lists are short: building a set costs more than reading a short message.
    private let identifiers: [String]
    private let fileExtensions: [String]
    private let mediaTypes: [String]

    package static let builtIn = TypeMap([])

    /// The built-in types and those of `additions` that conform, directly or indirectly, to a pass
    /// type.
    package init(_ additions: [UniformType]) {
        types = [.pass, .passes] + additions
        let passes = [.pass, .passes] + TypeMap.passes(among: additions)
        // Identifiers are case-insensitive.
        identifiers = passes.map { $0.identifier.asciiLowercased }
        fileExtensions = passes.flatMap(\.fileExtensions)
        mediaTypes = passes.flatMap(\.mediaTypes)
    }

    /// The types added to the built-in ones.
    package var additions: [UniformType] { Array(types.dropFirst(2)) }

    /// These types and `others`.
    package func adding(_ others: [UniformType]) -> TypeMap {
        let others = others.filter { !types.contains($0) }
        return others.isEmpty ? self : TypeMap(additions + others)
    }

    private static func passes(among types: [UniformType]) -> [UniformType] {
        guard !types.isEmpty else { return [] }
        var waiting: [String: [String]] = [:]
        for type in types {
            for parent in type.conformsTo {
                waiting[parent.asciiLowercased, default: []].append(type.identifier.asciiLowercased)
            }
        }
        var next = [UniformType.pass.identifier, UniformType.passes.identifier]
        var identifiers = Set(next)
        while let identifier = next.popLast() {
            for child in waiting[identifier] ?? [] where identifiers.insert(child).inserted {
                next.append(child)
            }
        }
        return types.filter { identifiers.contains($0.identifier.asciiLowercased) }
    }

    /// The evidence for a pass in a part's header.
    func evidence(_ header: PartHeader) -> Evidence {
        var evidence = Evidence()
        for name in header.names where isPassName(name) || isNameOfEncodedPass(name) {
            evidence.insert(.fileExtension)
        }
        for type in header.mediaTypes where mediaTypes.contains(type) {
            evidence.insert(.mediaType)
        }
        for type in header.typeIdentifiers where identifiers.contains(type.asciiLowercased) {
            evidence.insert(.typeIdentifier)
        }
        return evidence
    }

    /// Whether a file name has the extension of a pass, perhaps followed by that of a protected file
    /// or of a placeholder.
    package func isPassName(_ name: String) -> Bool {
        let bytes = name.utf8.span
        guard var word = bytes.fileExtension(in: bytes.indices) else { return false }
        if bytes.equals(caseInsensitive: "pfile", in: word)
            || bytes.equals(caseInsensitive: "icloud", in: word)
        {
            guard let before = bytes.fileExtension(in: 0..<word.lowerBound - 1) else {
                return false
            }
            word = before
        }
        return fileExtensions.contains { text in
            let text = text.utf8.span
            return text.count == word.count
                && text.indices.allSatisfy {
                    bytes[word.lowerBound + $0].asciiLowercased == text[$0]
                }
        }
    }

    /// Whether a file name has the extension of a pass, followed by that of an encoding:
    /// `ticket.pkpass.b64`.
    private func isNameOfEncodedPass(_ name: String) -> Bool {
        let bytes = name.utf8.span
        guard let word = bytes.fileExtension(in: bytes.indices),
            TypeMap.encodings.contains(where: { bytes.equals(caseInsensitive: $0, in: word) })
        else { return false }
        return isPassName(String(Substring(name.utf8.prefix(word.lowerBound - 1))))
    }

    private static let encodings: [StaticString] = ["b64", "base64", "uu", "uue"]

    /// Whether a media type is that of a pass.
    package func isPassMediaType(_ type: String) -> Bool {
        type.utf8.count <= 128 && mediaTypes.contains(type.asciiLowercased)
    }

    /// The first name with the extension of a pass, otherwise the first name.
    package func preferredName(_ header: PartHeader) -> String {
        header.names.first(where: isPassName) ?? header.names.first ?? ""
    }

    /// The first media type of a pass, otherwise the first media type.
    package func preferredMediaType(_ header: PartHeader) -> String {
        header.mediaTypes.first(where: mediaTypes.contains) ?? header.mediaTypes.first ?? ""
    }
}
