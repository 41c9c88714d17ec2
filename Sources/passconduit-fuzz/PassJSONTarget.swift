import Bytes
import Foundation
import PassModel

/// A pass.json gives the same result in UTF-8 and UTF-16, and the same values as in Foundation.
func fuzzPassJSON(_ input: Input) {
    if let repeated = input.repeated {
        for start in ["", #"{"passTypeIdentifier":"pass.a","serialNumber":"b","generic":["#, "\""] {
            if let pass = try? Pass(json: Array(start.utf8) + repeated) { show(pass) }
        }
        _ = AttributedText(String(streamSafe: repeated))
    }
    let pass = try? Pass(json: input.bytes)
    if let pass {
        expect(pass.oddities.count <= PassLimits().oddities, "there are too many oddities")
        expect(try? Pass(json: input.bytes), isEqualTo: pass)
        show(pass)
    }
    compareEncodings(input.bytes, pass)
    compareWithFoundation(input.bytes)
}

/// Computes everything that is needed to display a pass.
private func show(_ pass: Pass) {
    expectStreamSafe([pass.searchableText] + pass.unknownKeys.keys.map(\.text))
    let localized = pass.localized(for: ["de-CH", "en"])
    for field in localized.fields.all.prefix(4) {
        let text = AttributedText(field.attributedValue ?? field.value.description)
        expectStreamSafe([text.text] + text.links.map(\.text))
        expect(text.links.count <= text.text.utf8.count + 1_000, "too many links")
    }
}

/// UTF-16 gives the same result as UTF-8, apart from the note about the encoding.
private func compareEncodings(_ bytes: [UInt8], _ pass: Pass?) {
    guard let text = String(validating: bytes, as: UTF8.self), bytes.first != 0,
        !(bytes.count > 1 && bytes[1] == 0), !bytes.starts(with: [0xEF, 0xBB, 0xBF])
    else { return }
    let mark: [UInt8] = [0xFF, 0xFE]
    let wide = mark + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let other = try? Pass(json: wide)
    expect((other == nil) == (pass == nil), "one encoding is read and the other is not")
    guard let pass, let other, other.oddities.count < PassLimits().oddities else { return }
    expect(
        other.oddities.filter { $0.code != "json-utf16" } == pass.oddities
            && other.unknownKeys == pass.unknownKeys && other.fields == pass.fields
            && other.userInfo == pass.userInfo && other.identity == pass.identity,
        "the encodings differ: \(pass) \(other)")
}

/// JSON that Foundation accepts is read without a note, to the same value.
private func compareWithFoundation(_ bytes: [UInt8]) {
    guard let known = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
        String(validating: bytes, as: UTF8.self) != nil, bytes.count < 2 || bytes[1] != 0,
        bytes.first != 0, !bytes.starts(with: [0xEF, 0xBB, 0xBF]), known != .null
    else { return }
    let start = Array(#"{"passTypeIdentifier":"pass.a","serialNumber":"b","userInfo":"#.utf8)
    var limits = PassLimits()
    limits.jsonDepth = 1000
    limits.oddities = 1000
    guard let pass = try? Pass(json: start + bytes + Array("}".utf8), limits: limits) else {
        stop("Foundation reads \(known), and we nothing")
    }
    if pass.oddities.contains(where: { $0.code == "long-combining-run" }) { return }
    let notes = pass.oddities.filter { $0.code.hasPrefix("json-") }.map(\.code)
    // Foundation keeps one of two equal or canonically equivalent keys, not always the last, and
    // does not keep all digits of long numbers.
    guard !notes.contains("json-duplicate-key"), !notes.contains("json-number-too-large"),
        pass.userInfo.map(hasEquivalentKeys) != true
    else { return }
    expect(
        pass.userInfo.map(comparable) == comparable(known),
        "Foundation reads \(known), and we \(String(describing: pass.userInfo)) \(notes)")
}

/// Whether an object in the value has keys that are equal as strings.
private func hasEquivalentKeys(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let values): values.contains(where: hasEquivalentKeys)
    case .object(let members):
        Set(members.keys.map(\.text)).count < members.count
            || members.values.contains(where: hasEquivalentKeys)
    default: false
    }
}

/// A value with all numbers converted to one kind, since Foundation does not distinguish integers.
private func comparable(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .array(let values): .array(values.map(comparable))
    case .object(let members): .object(members.mapValues(comparable))
    default: value
    }
}

private func expect(_ pass: Pass?, isEqualTo other: Pass) {
    expect(pass == other, "read twice it is \(String(describing: pass)) and \(other)")
}
