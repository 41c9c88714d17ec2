/// Number of terminal columns that a text takes. Colour sequences added by this program count as
/// zero.
package func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x1b }) { return text.utf8.count }
    var scalars = text.unicodeScalars[...]
    var sum = 0
    while let scalar = scalars.first {
        if let end = endOfColour(scalars) {
            scalars = scalars[end...]
            continue
        }
        scalars.removeFirst()
        switch scalar.properties.generalCategory {
        case _ where scalar.isASCII: sum += 1
        case .nonspacingMark, .enclosingMark: break
        case _ where takesNoColumn(scalar): break
        default: sum += isWide(scalar) ? 2 : 1
        }
    }
    return sum
}

/// The text without the colour sequences added by this program.
package func withoutColours(_ text: String) -> String {
    guard text.utf8.contains(0x1b) else { return text }
    var plain = String.UnicodeScalarView()
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.first {
        if let end = endOfColour(scalars) {
            scalars = scalars[end...]
        } else {
            plain.append(scalar)
            scalars.removeFirst()
        }
    }
    return String(plain)
}

/// The end of the colour sequence (ESC, `[`, digits, `m`) at the start of a text; nil if there is
/// none.
private func endOfColour(_ text: Substring.UnicodeScalarView) -> String.Index? {
    guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let rest = text.dropFirst(2)
    let end = rest.drop { ("0"..."9").contains($0) }
    guard end.startIndex > rest.startIndex, end.first == "m" else { return nil }
    return end.index(after: end.startIndex)
}

/// The text, padded with spaces to a width.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - columns(text), 0))
}

/// Maximum number of scalars per column. Combining marks take no column, and a text may have
/// millions of them.
package let scalarsInColumn = 4

/// The beginning of the text that fits into a width.
package func clipped(_ text: String, to width: Int) -> String {
    let text = String(text.unicodeScalars.prefix(width * scalarsInColumn))
    guard columns(text) > width else { return text }
    var taken = 0
    var clipped = ""
    for character in text {
        taken += columns(String(character))
        if taken > width { break }
        clipped.append(character)
    }
    return clipped
}

/// The text, cut to a width; an ellipsis replaces the rest.
package func shortened(_ text: String, to width: Int, _ ellipsis: String = "\u{2026}") -> String {
    if clipped(text, to: width).utf8.count == text.utf8.count { return text }
    let start = clipped(text, to: max(width - columns(ellipsis), 0))
    return withoutSpacesAtEnd(start) + ellipsis
}

/// The end of a path that fits into a width, from a folder on if possible; an ellipsis replaces what
/// comes before.
package func shortenedPath(
    _ path: String, to width: Int, _ ellipsis: String = "\u{2026}"
) -> String {
    if clipped(path, to: width).utf8.count == path.utf8.count { return path }
    var taken = columns(ellipsis)
    var end: [Character] = []
    for character in String(path.unicodeScalars.suffix(width * scalarsInColumn)).reversed() {
        taken += columns(String(character))
        if taken > width { break }
        end.append(character)
    }
    let kept = String(end.reversed())
    return ellipsis + (kept.firstIndex(of: "/").map { String(kept[$0...]) } ?? kept)
}

package func withoutSpacesAtEnd(_ text: String) -> String {
    var text = Substring(text)
    while text.last == " " { text.removeLast() }
    return String(text)
}

/// The text in lines of at most a width, broken at spaces only.
package func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        let longer = line.isEmpty ? String(word) : "\(line) \(word)"
        if columns(longer) <= width || line.isEmpty {
            line = longer
        } else {
            lines.append(line)
            line = String(word)
        }
    }
    return lines + [line]
}

/// Splits a text into lines that fit on any terminal: at spaces if possible, otherwise within
/// words. Characters whose width differs between terminals, from U+1100 up, count as wide.
package func cut(_ text: String, to width: Int) -> [String] {
    wrapped(text, to: width).flatMap { line -> [String] in
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var taken = 0
        var count = 0
        for scalar in line.unicodeScalars {
            let room = scalar.value < 0x1100 ? columns(String(scalar)) : 2
            if taken + room > width || count == width * scalarsInColumn, !piece.isEmpty {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
                taken = 0
                count = 0
            }
            piece.append(scalar)
            taken += room
            count += 1
        }
        return pieces + [String(piece)]
    }
}

/// Aligns the cells of rows in columns. The last column is not padded.
package func aligned(_ rows: [[String]]) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
        rows.map { column < $0.count ? columns($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
        zip(row, widths).enumerated()
            .map { index, cell in
                index == row.count - 1 ? cell.0 : padded(cell.0, to: cell.1)
            }
            .joined(separator: "  ")
    }
}

/// The joiners of emoji and of Persian, and the vowels and final consonants of a decomposed Korean
/// syllable, which are drawn over its first letter. File names from a Mac are decomposed.
private func takesNoColumn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1160...0x11FF, 0x200C...0x200D, 0xD7B0...0xD7FB: true
    default: false
    }
}

/// East Asian wide and full-width characters (UAX 11) by block, and emoji. A flag consists of two
/// regional indicators of one column each.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F1E6...0x1F1FF: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FF, 0x1F200...0x1F265, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
        0x1F900...0x1FAFF, 0x20000...0x3FFFD:
        true
    default: scalar.properties.isEmojiPresentation
    }
}
