extension DesktopFile {
    /// This desktop entry with the absolute path of its program in place of the name; nil if a
    /// desktop entry cannot contain the path.
    package func naming(_ program: String, at path: String) -> DesktopFile? {
        guard let word = execWord(path) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { line -> String in
            if line == "TryExec=\(program)" { return "TryExec=\(entryString(path))" }
            let exec = "Exec=\(program) "
            return line.hasPrefix(exec)
                ? "Exec=\(word) \(line.dropFirst(exec.count))" : String(line)
        }
        return DesktopFile(place: place, bytes: Array(lines.joined(separator: "\n").utf8))
    }
}

/// A path as the first word of Exec (Desktop Entry Specification 1.5, "The Exec key"). Quotes and
/// their backslashes are part of the word, which is then escaped as a string.
private func execWord(_ path: String) -> String? {
    // The specification forbids the equal sign; and GLib looks for a program with a literal `%%`
    // when it checks whether it exists.
    guard !path.contains(where: { "=%".contains($0) }) else { return nil }
    let reserved = " \t\n\"'\\><~|&;$*?#()`"
    var word = path
    if path.contains(where: reserved.contains) {
        let quoted = path.map { "\"`$\\".contains($0) ? "\\\($0)" : String($0) }
        word = "\"\(quoted.joined())\""
    }
    return entryString(word)
}

/// A value of type string ("Possible value types").
private func entryString(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
        .replacing("\t", with: #"\t"#).replacing("\r", with: #"\r"#)
}
