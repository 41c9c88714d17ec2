/// A sentence template with placeholders: `{name} differs from its hash in the manifest`. Stored
/// sentences and records are in English; a template recognises such a sentence so that it can be
/// translated.
package struct Sentence: Sendable {
    fileprivate let text: String
    /// The text between the placeholders, including before the first and after the last.
    private let pieces: [[UInt8]]
    private let names: [String]

    /// - Parameter text: In English, the key in the catalogues.
    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let named = parts.dropFirst().map { $0.split(separator: "}", maxSplits: 1) }
        names = named.map { String($0.first ?? "") }
        pieces = [Array(parts[0].utf8)] + named.map { Array(($0.dropFirst().first ?? "").utf8) }
    }

    /// The values of the placeholders if a sentence matches; nil otherwise.
    func values(in bytes: ArraySlice<UInt8>) -> [(key: String, value: String)]? {
        guard bytes.starts(with: pieces[0]) else { return nil }
        var rest = bytes.dropFirst(pieces[0].count)
        var values: [(key: String, value: String)] = []
        for (index, name) in names.enumerated() {
            let piece = pieces[index + 1]
            // The last piece must end the sentence.
            let place =
                index == names.count - 1
                ? rest.endIndex - piece.count : start(of: piece, in: rest) ?? -1
            guard place > rest.startIndex, rest[place...].starts(with: piece) else { return nil }
            values.append((name, String(decoding: rest[..<place], as: UTF8.self)))
            rest = rest[(place + piece.count)...]
        }
        return rest.isEmpty ? values : nil
    }
}

/// Translates an English sentence of the program; returns it unchanged if no catalogue contains it.
///
/// - Parameter sentences: The templates to try, specific ones before general ones.
package func translated(_ english: String, by sentences: [Sentence]) -> String {
    // English needs no lookup, and no sentence of the program is that long.
    guard Catalogue.isInUse, english.utf8.count <= 4096 else { return english }
    return translation(of: english, by: sentences) { reason in
        // Nested reasons are not translated further.
        translation(of: reason, by: sentences) { $0 }
    }
}

private func translation(
    of english: String, by sentences: [Sentence], _ reason: (String) -> String
) -> String {
    if let found = found(english) { return found }
    let bytes = Array(english.utf8)[...]
    for sentence in sentences {
        guard let values = sentence.values(in: bytes), let found = found(sentence.text) else {
            continue
        }
        // These values are texts of the program too.
        let said: Set = ["reason", "kind", "expected"]
        return filled(
            found, values.map { said.contains($0.key) ? ($0.key, reason($0.value)) : $0 })
    }
    return english
}

private func start(of piece: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = piece.first else { return nil }
    var rest = bytes
    while let place = rest.firstIndex(of: first) {
        if rest[place...].starts(with: piece) { return place }
        rest = rest[(place + 1)...]
    }
    return nil
}
