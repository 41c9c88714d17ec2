import Foundation

/// A record, expected or printed.
package struct Record: Sendable {
    /// The JSON text, which is Sendable.
    package let line: String

    package init(_ line: String) {
        self.line = line
    }

    package init(_ value: [String: Any]) {
        let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
        line = String(decoding: data, as: UTF8.self)
    }

    package var value: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }

    package var source: String { value["source"] as? String ?? "" }
    package var isProblem: Bool { value["record"] as? String == "problem" }
    /// Whether it is a problem that does not affect the exit code: a part that nobody asked for.
    package var isIncidental: Bool {
        value["code"] as? String == "format-not-read" && value["part"] != nil
    }
    package var isLink: Bool { value["record"] as? String == "link" }

    /// Expected records that were not found.
    func differences(from found: Record, in file: URL) -> [String] {
        let actual = found.value
        var differences = value.compactMap { key, expected -> String? in
            switch key {
            case "reasons":
                // Two reasons may have the same code.
                return Set(codes(actual[key])) == Set(expected as? [String] ?? [])
                    ? nil : "reasons \(expected)"
            case "notes":
                return Set(expected as? [String] ?? []).isSubset(of: codes(actual[key]))
                    ? nil : "notes \(expected)"
            case "source":
                let source = file.appendingPathComponent(expected as? String ?? "").path
                return actual[key] as? String == source ? nil : "source \(source)"
            case "message":
                let message = actual[key] as? [String: Any] ?? [:]
                let wrong = (expected as? [String: Any] ?? [:]).filter { !equal(message[$0], $1) }
                return wrong.isEmpty ? nil : "message \(wrong)"
            default:
                return equal(actual[key], expected) ? nil : "\(key) \(expected)"
            }
        }
        if !isProblem, found.isProblem { differences.append("a problem") }
        return differences
    }

    private func codes(_ findings: Any?) -> [String] {
        (findings as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    private func equal(_ left: Any?, _ right: Any?) -> Bool {
        json(left) == json(right)
    }

    private func json(_ value: Any?) -> Data? {
        try? JSONSerialization.data(withJSONObject: [value ?? NSNull()], options: .sortedKeys)
    }
}
