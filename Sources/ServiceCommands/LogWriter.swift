internal import Foundation
internal import Logging
internal import PassPresentation
internal import PassSession

/// Writes log lines to standard error: one JSON object per line, or text.
///
/// ```
/// {"time":"2026-09-21T14:13:20Z","level":"info","message":"fetched","metadata":{"serial":"E4"}}
/// 2026-09-21T14:13:20Z info fetched serial=E4
/// ```
struct LogWriter: LogHandler {
    private let shell: ServiceShell
    private let isJSON: Bool
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(_ shell: ServiceShell, isJSON: Bool, level: Logger.Level) {
        self.shell = shell
        self.isJSON = isJSON
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        if let error = event.error {
            all["error"] = "\((error as? any Worded)?.phrase.localized ?? "\(error)")"
        }
        let record = Record(
            time: Date.now.formatted(.iso8601), level: event.level.rawValue,
            message: "\(event.message)",
            metadata: Record.Metadata(
                pairs: all.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }))
        if isJSON {
            guard let json = try? jsonLine(record) else { return }
            shell.log(json.escapedInJSON)
        } else {
            shell.log(record.line.escaped)
        }
    }

    private struct Record: Encodable {
        let time: String
        let level: String
        let message: String
        let metadata: Metadata

        struct Metadata: Encodable {
            let pairs: [(key: String, value: String)]

            private struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for pair in pairs {
                    try container.encode(pair.value, forKey: Key(stringValue: pair.key))
                }
            }
        }

        var line: String {
            ([time, level, message] + metadata.pairs.map { "\($0.key)=\(quoted($0.value))" })
                .joined(separator: " ")
        }

        /// The value, in quotation marks if it contains white space, `"`, `=` or `\`.
        private func quoted(_ value: String) -> String {
            let isPlain = value.unicodeScalars.allSatisfy { scalar in
                !scalar.properties.isWhitespace && !["\"", "=", "\\"].contains(scalar)
            }
            guard !isPlain else { return value }
            let inner = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(inner)\""
        }
    }
}
