internal import PassLinks

/// Shortens a long URL to its beginning and its end, for display in a line.
package func abbreviated(_ text: String) -> String {
    let (first, last) = (140, 57)
    guard text.utf8.count > first + last + 3,
        URLScheme(of: Array(text.utf8.prefix(6)))?.isOfWeb == true
    else { return text }
    let scalars = text.unicodeScalars
    return "\(String(scalars.prefix(first)))...\(String(scalars.suffix(last)))"
}
