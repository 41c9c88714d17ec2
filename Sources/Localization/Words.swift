internal import CGettext

/// A text in the user's language; unchanged if no catalogue contains it.
///
/// - Parameters:
///   - text: In English, the key in the catalogues.
///   - values: The values of placeholders such as `{name}`.
package func localized(_ text: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    filled(found(text) ?? text, Array(values))
}

/// A text in the plural form for a number in the user's language.
///
/// - Parameters:
///   - one: The English singular.
///   - many: The English plural.
///   - values: The values of placeholders in either, including the formatted number.
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

/// The translation of a text; nil if there is none.
func found(_ text: String) -> String? {
    // For an empty text, gettext returns the header of the catalogue.
    guard !text.isEmpty else { return nil }
    // gettext returns its argument if it finds nothing.
    return unsafe text.withCString { text in
        unsafe dgettext(Catalogue.domain, text).flatMap { found in
            unsafe found == text ? nil : unsafe String(cString: found)
        }
    }
}

/// Replaces the placeholders once; values are not searched for placeholders.
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
