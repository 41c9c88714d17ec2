internal import Bytes
internal import Foundation
package import PassModel

/// A new value for a field of a pass, or for a key of pass.json if no field has this key.
package struct PassEdit: Sendable, Hashable {
    package let key: String
    /// The value as text, whatever its type in pass.json.
    package let value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// The reason why a pass cannot be changed.
package enum PassEditError: Error, Sendable, Hashable {
    /// pass.json cannot be read.
    case pass(PassError)
    /// No field has this key, and Apple does not define it. Carries the keys of the fields.
    case unknownKey(String, fields: [String])
    /// The key identifies the pass, or must not change for another reason.
    case fixedKey(String)
    /// The value of the key is a list or an object.
    case notScalar(String)
    /// Wallet shows the attributedValue of the field instead of its value.
    case attributedField(String)
    /// The value must have another type.
    case wrongType(key: String, value: String, ValueType)

    package enum ValueType: Sendable, Hashable {
        case number, boolean, date, color, url
        /// A date with a time of day and a time zone.
        case moment
    }
}

extension PassFolder {
    /// Returns the pass with other values. The rest of pass.json keeps its bytes, unless its
    /// encoding is not UTF-8. The types of values do not change.
    ///
    /// - Returns: An equal folder if it has these values already.
    package func setting(_ edits: [PassEdit]) throws(PassEditError) -> PassFolder {
        let tree: JSONTree
        do throws(PassError) {
            tree = try objectTree()
        } catch {
            throw .pass(error)
        }
        let fields = fields(of: tree.root)
        var editor = JSONEditor(tree)
        for edit in edits {
            let named = fields.filter { $0["key"]?.string?.isExactly(edit.key) == true }
            for field in named {
                editor.set("value", of: field, to: try value(edit, of: field))
            }
            if named.isEmpty {
                let value = try value(edit, of: tree.root, fields)
                editor.set(edit.key, of: tree.root, to: value)
            }
        }
        return edited(by: editor)
    }

    /// Returns the pass declared void: `"voided": true`. The rest of pass.json keeps its bytes,
    /// unless its encoding is not UTF-8.
    package func voided() throws(PassError) -> PassFolder {
        let tree = try objectTree()
        var editor = JSONEditor(tree)
        editor.set("voided", of: tree.root, to: .literal("true"))
        return edited(by: editor)
    }

    private func objectTree() throws(PassError) -> JSONTree {
        let tree = try JSONTree(pass ?? [])
        guard tree.root.kind == .object else { throw .notAnObject(tree.root.kind) }
        return tree
    }

    private func edited(by editor: JSONEditor) -> PassFolder {
        guard editor.isChanging else { return self }
        var folder = self
        folder.files["pass.json"] = editor.text
        return folder
    }
}

/// A new value in pass.json.
private enum EditedValue {
    case text(String)
    /// A number, true or false.
    case literal(String)
}

/// The fields of all groups of all styles.
private func fields(of root: JSONNode) -> [JSONNode] {
    let isFields = { PassSchema.kinds[.pass]?[$0] == .object(.fields) }
    let isGroup = { PassSchema.kinds[.fields]?[$0] == .list(.object(.field)) }
    return root.members.filter { isFields($0.key) }.flatMap(\.value.members)
        .filter { isGroup($0.key) }.flatMap(\.value.elements)
}

/// The new value of a field.
private func value(_ edit: PassEdit, of field: JSONNode) throws(PassEditError) -> EditedValue {
    guard field["attributedValue"] == nil else { throw .attributedField(edit.key) }
    let isNumber = field["currencyCode"] != nil || field["numberStyle"] != nil
    let isDate = field["dateStyle"] != nil || field["timeStyle"] != nil
    switch field["value"]?.kind {
    case .number: return try literal(edit, .number)
    case .boolean: return try literal(edit, .boolean)
    case .array, .arrayOfObjects, .object: throw .notScalar(edit.key)
    case nil where isNumber: return try literal(edit, .number)
    case .string, .null, nil:
        return try text(edit, isDate ? .date : isNumber ? .number : nil)
    }
}

/// The keys that must be the same in all versions of a pass. Apple, "Pass": the authentication
/// token must not change.
private let fixedKeys: Set<String> = [
    "formatVersion", "passTypeIdentifier", "serialNumber", "teamIdentifier", "authenticationToken",
]

/// The new value of a key of pass.json.
private func value(
    _ edit: PassEdit, of root: JSONNode, _ fields: [JSONNode]
) throws(PassEditError) -> EditedValue {
    guard !fixedKeys.contains(edit.key) else { throw .fixedKey(edit.key) }
    switch PassSchema.kinds[.pass]?[ExactText(edit.key)] {
    case .text: return .text(edit.value)
    case .url: return try text(edit, .url)
    // Apple, "Pass": "a complete date that includes hours and minutes".
    case .date: return try text(edit, .moment)
    case .color: return try text(edit, .color)
    case .boolean: return try literal(edit, .boolean)
    case .number, .integer: return try literal(edit, .number)
    case .fieldValue, .any, .name, .object, .list: throw .notScalar(edit.key)
    case nil: break
    }
    // Keys that Apple does not define keep their types.
    switch root[edit.key]?.kind {
    case .string: return .text(edit.value)
    case .number: return try literal(edit, .number)
    case .boolean: return try literal(edit, .boolean)
    case .array, .arrayOfObjects, .object: throw .notScalar(edit.key)
    case .null, nil:
        throw .unknownKey(edit.key, fields: fields.compactMap { $0["key"]?.string })
    }
}

private func literal(
    _ edit: PassEdit, _ type: PassEditError.ValueType
) throws(PassEditError) -> EditedValue {
    try check(edit, type)
    return .literal(edit.value)
}

private func text(
    _ edit: PassEdit, _ type: PassEditError.ValueType?
) throws(PassEditError) -> EditedValue {
    if let type { try check(edit, type) }
    return .text(edit.value)
}

private func check(
    _ edit: PassEdit, _ type: PassEditError.ValueType
) throws(PassEditError) {
    let isRight =
        switch type {
        case .number: StrictJSON.isNumber(Array(edit.value.utf8)[...])
        case .boolean: ["true", "false"].contains(edit.value)
        case .date: PassDate(edit.value)?.isStandard == true
        case .moment: PassDate(edit.value)?.isStandardMoment == true
        case .color: PassColor(edit.value) != nil
        case .url: passURL(edit.value) != nil
        }
    guard isRight else { throw .wrongType(key: edit.key, value: edit.value, type) }
}

extension PassDate {
    /// Whether the date conforms to the W3C note and has a time of day.
    fileprivate var isStandardMoment: Bool { isStandard && hasTime }
}

extension PassFolder {
    /// The incomplete dates of the pass, by key of pass.json: not W3C dates, or without a time of
    /// day.
    package var incompleteDates: [String: String] {
        guard let tree = try? objectTree() else { return [:] }
        var texts: [String: String] = [:]
        for member in tree.root.members where PassSchema.kinds[.pass]?[member.key] == .date {
            guard let text = member.value.string, PassDate(text)?.isStandardMoment != true
            else { continue }
            texts[member.key.text] = text
        }
        return texts
    }
}

/// Sets values in pass.json.
private struct JSONEditor {
    private let tree: JSONTree
    private var replacements: [(range: Range<Int>, text: [UInt8])] = []

    init(_ tree: JSONTree) {
        self.tree = tree
    }

    /// Whether any value differs from the old one.
    var isChanging: Bool { !replacements.isEmpty }

    /// Sets a member of an object that has other members. If the key is repeated, sets all of its
    /// values.
    mutating func set(_ key: String, of object: JSONNode, to value: EditedValue) {
        let known = object.members.filter { $0.key.text.isExactly(key) }
        if known.isEmpty {
            let separator = object.members.isEmpty ? [] : [UInt8(ascii: ",")]
            let start = min(object.range.lowerBound + 1, tree.text.count)
            let member = jsonString(key) + [UInt8(ascii: ":")] + value.written + separator
            replacements.append((start..<start, member))
        }
        for member in known where !isSame(member.value, value) {
            replacements.append((member.value.range, value.written))
        }
    }

    private func isSame(_ node: JSONNode, _ value: EditedValue) -> Bool {
        switch value {
        case .text(let text): node.string?.isExactly(text) ?? false
        case .literal(let text): tree.text(node.range) == text
        }
    }

    /// The new text.
    var text: [UInt8] {
        var text = tree.text
        let backwards = replacements.sorted { $0.range.lowerBound > $1.range.lowerBound }
        for (range, replacement) in backwards {
            text.replaceSubrange(range.clamped(to: 0..<text.count), with: replacement)
        }
        return text
    }
}

extension EditedValue {
    fileprivate var written: [UInt8] {
        switch self {
        case .text(let text): jsonString(text)
        case .literal(let text): Array(text.utf8)
        }
    }
}

/// A JSON string (RFC 8259, 7).
private func jsonString(_ text: String) -> [UInt8] {
    var written: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): written += [UInt8(ascii: "\\"), byte]
        case ..<0x20: written += Array("\\u00".utf8) + hexadecimal(byte)
        default: written.append(byte)
        }
    }
    return written + [UInt8(ascii: "\"")]
}
