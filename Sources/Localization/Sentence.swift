/// A sentence with names for what differs: `{name} differs from its hash in the manifest`. What is kept and
/// written in records is in English: for people it is recognised by such a sentence, and said in their language.
package struct Sentence: Sendable {
    fileprivate let text: String
    /// What stands between the names, with what is before the first and behind the last.
    private let pieces: [[UInt8]]
    private let names: [String]

    /// - Parameter text: In English, as the catalogues know it.
    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let named = parts.dropFirst().map { $0.split(separator: "}", maxSplits: 1) }
        names = named.map { String($0.first ?? "") }
        pieces = [Array(parts[0].utf8)] + named.map { Array(($0.dropFirst().first ?? "").utf8) }
    }

    /// What stands for each name in a sentence of this kind; nil for any other.
    func values(in bytes: ArraySlice<UInt8>) -> [(key: String, value: String)]? {
        guard bytes.starts(with: pieces[0]) else { return nil }
        var rest = bytes.dropFirst(pieces[0].count)
        var values: [(key: String, value: String)] = []
        for (index, name) in names.enumerated() {
            let piece = pieces[index + 1]
            // Behind the last name the sentence ends.
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

/// What the program said in English, in the reader's language; itself where that is English, or no
/// catalogue has it.
///
/// - Parameter sentences: The kinds of sentences with something in them, the special before the general.
package func translated(_ english: String, by sentences: [Sentence]) -> String {
    // In English there is nothing to be looked for. No sentence of the program is that long.
    guard Catalogue.isInUse, english.utf8.count <= 4096 else { return english }
    return translation(of: english, by: sentences) { reason in
        // What is in it is not looked at again.
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
        // These are the program's own words too.
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
