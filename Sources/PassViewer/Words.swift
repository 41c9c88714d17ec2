/// A text of the windows in the person's language. The key is the English sentence, with names in braces
/// for what is filled in.
func words(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    var text = ""
    var rest = key[...]
    // What is filled in is a stranger's text: it is not looked through for further names.
    while let brace = rest.firstIndex(of: "{"), let end = rest[brace...].firstIndex(of: "}") {
        let name = rest[rest.index(after: brace)..<end]
        text += rest[..<brace]
        text += values.first { $0.key == name }?.value ?? String(rest[brace...end])
        rest = rest[rest.index(after: end)...]
    }
    return text + rest
}
