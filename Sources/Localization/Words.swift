internal import CGettext

/// A text of the program in the reader's language; itself where no catalogue has it.
///
/// - Parameters:
///   - text: In English, as the catalogues know it.
///   - values: What stands for `{name}` in it.
package func localized(_ text: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    filled(found(text) ?? text, Array(values))
}

/// A text about so many things, in the form that the reader's language has for that number.
///
/// - Parameters:
///   - one: In English, of a single thing.
///   - many: In English, of any other number.
///   - values: What stands for `{name}` in either, the number as it is written among them.
package func counted(
    _ one: String, _ many: String, _ count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let number = count.magnitude
    let found = unsafe one.withCString { one in
        unsafe many.withCString { many in
            unsafe dngettext(Catalogue.domain, one, many, number).flatMap { found in
                unsafe found == one || found == many ? nil : unsafe String(cString: found)
            }
        }
    }
    return filled(found ?? (number == 1 ? one : many), Array(values))
}

/// What the catalogue has for a text; nil for nothing.
func found(_ text: String) -> String? {
    // Of the empty text a catalogue gives its own description.
    guard !text.isEmpty else { return nil }
    // What is not found comes back as the pointer that it was asked with.
    return unsafe text.withCString { text in
        unsafe dgettext(Catalogue.domain, text).flatMap { found in
            unsafe found == text ? nil : unsafe String(cString: found)
        }
    }
}

/// Puts in each value once: what is in a value is not looked through.
package func filled(_ text: String, _ values: [String: String]) -> String {
    filled(text, values.map { (key: $0.key, value: $0.value) })
}

func filled(_ text: String, _ values: [(key: String, value: String)]) -> String {
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
