import PassModel

/// A pass.strings, which may be a property list, gives the same table in either encoding, within
/// its size.
func fuzzPassStrings(_ input: Input) {
    if let repeated = input.repeated { _ = strings(of: repeated) }
    let table = strings(of: input.bytes)
    expectStreamSafe(table.flatMap { [$0.key.text, $0.value] })
    let count = table.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.utf8.count }
    // An invalid byte becomes three. A text may be its own key and value, or in a binary list those
    // of several entries.
    expect(count <= input.bytes.count * 12, "\(input.bytes.count) bytes give \(count)")

    // A binary list has no other encoding.
    guard !input.bytes.starts(with: "bplist".utf8),
        let text = String(validating: input.bytes, as: UTF8.self),
        !input.bytes.prefix(2).contains(0), !input.bytes.starts(with: [0xEF, 0xBB, 0xBF])
    else { return }
    let mark: [UInt8] = [0xFE, 0xFF]
    let wide = mark + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    let other = strings(of: wide)
    expect(other == table, "in UTF-8 \(table), in UTF-16 \(other)")
}

private func strings(of file: [UInt8]) -> [ExactText: String] {
    let json = Array(#"{"passTypeIdentifier":"pass.a","serialNumber":"b"}"#.utf8)
    guard let pass = try? Pass(json: json, strings: ["en": file]) else {
        stop("the strings of a pass keep it from being read")
    }
    expect(pass.oddities.count <= PassLimits().oddities, "there are too many oddities")
    return pass.strings["en"] ?? [:]
}
