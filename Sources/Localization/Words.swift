internal import CGettext

/// A text of the program in the reader's language; itself where no catalogue has it.
///
/// - Parameters:
///   - text: In English, as the catalogues know it.
///   - values: What stands for `{name}` in it.
package func localized(_ text: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    // Of the empty text a catalogue gives its own description.
    guard !text.isEmpty else { return "" }
    // What is not found comes back as the pointer that it was asked with.
    let found = unsafe text.withCString { text in
        unsafe dgettext(Catalogue.domain, text).map { unsafe String(cString: $0) }
    }
    return filled(found ?? text, values)
}

/// Puts in each value once: what is in a value is not looked through.
func filled(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var filled = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{") {
        filled += rest[..<start]
        rest = rest[start...]
        guard let end = rest.firstIndex(of: "}") else { break }
        let name = rest[rest.index(after: start)..<end]
        filled += values.first { $0.key == name }?.value ?? String(rest[...end])
        rest = rest[rest.index(after: end)...]
    }
    return filled + rest
}
