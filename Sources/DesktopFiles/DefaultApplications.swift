/// A `mimeapps.list` (MIME Applications Associations, freedesktop.org): the default program for
/// each media type. xdg-mime can set a default, but not restore the previous one.
package struct DefaultApplications: Equatable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }

    private static let header = "[Default Applications]"

    /// The desktop entries for a media type, in order of preference.
    package func entries(for type: String) -> [String] {
        guard let line = lines.first(where: { $0.isDefault(of: [type]) }) else { return [] }
        return line.value.split(separator: ";").map { trimmed($0) }
    }

    /// The list with the defaults restored that an entry replaced.
    ///
    /// Later changes to other lines are kept. Without such changes, the result equals `before` byte
    /// for byte.
    /// - Parameter before: The previous list; nil if there was none.
    /// - Returns: The list; nil if the file should be removed.
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

    /// Its contents other than the defaults of `types`, regardless of layout.
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
