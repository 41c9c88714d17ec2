/// The file `mimeapps.list` (MIME Applications Associations, freedesktop.org): which program opens which
/// type by default. xdg-mime writes it; to take a choice back is beyond xdg-mime.
package struct DefaultApplications: Equatable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }

    private static let header = "[Default Applications]"

    /// The desktop entries that open a type, the one liked best first.
    package func entries(for type: String) -> [String] {
        guard let line = lines.first(where: { $0.isDefault(of: [type]) }) else { return [] }
        return line.value.split(separator: ";").map { trimmed($0) }
    }

    /// The list as it was before an entry was made the default of types.
    ///
    /// What became of other lines since stays. Where nothing did, the list is what it was to the byte.
    /// - Parameter before: nil where there was no list.
    /// - Returns: nil where there shall be no list.
    package func undoing(
        _ entry: String, for types: [String], before: DefaultApplications?
    ) -> DefaultApplications? {
        let ours = types.filter { entries(for: $0).first == entry }
        let changed = types.filter { type in
            !ours.contains(type) && entries(for: type) != before?.entries(for: type) ?? []
        }
        let others = before ?? DefaultApplications("")
        if changed.isEmpty, rest(without: types) == others.rest(without: types) { return before }
        var restored = self
        restored.text = lines.flatMap { line -> [Substring] in
            guard line.isDefault(of: ours) else { return [line.text] }
            return others.lines.filter { $0.isDefault(of: [line.key]) }.map(\.text)
        }.joined(separator: "\n")
        let isEmpty = restored.lines.allSatisfy { $0.isBlank || trimmed($0.text) == Self.header }
        return before == nil && isEmpty ? nil : restored
    }

    /// What it says beside the defaults of types, without regard to how it is set out.
    private func rest(without types: [String]) -> [[Substring]] {
        lines.filter { !$0.isBlank && !$0.isHeader && !$0.isDefault(of: types) }
            .map { [$0.section, $0.text] }
    }

    private struct Line {
        let section: Substring
        let text: Substring

        var isHeader: Bool { text.hasPrefix("[") }
        var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
        var key: String { trimmed(text.prefix { $0 != "=" }) }
        var value: Substring { text.drop { $0 != "=" }.dropFirst() }

        func isDefault(of types: [String]) -> Bool {
            section == DefaultApplications.header && !isHeader && types.contains(key)
        }
    }

    private var lines: [Line] {
        var section: Substring = ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("[") { section = line.prefix { $0 != "]" } + "]" }
            return Line(section: section, text: line)
        }
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
}
