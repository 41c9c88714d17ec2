/// Why the bytes cannot be read as a pass.
public enum PassError: Error, Sendable, Hashable {
    /// pass.json is not JSON, not even leniently; line and column count from 1, in characters.
    case notJSON(String, line: Int, column: Int)
    /// pass.json is JSON, but holds something else than an object: this.
    case notAnObject(String)
    /// The key, without which a pass has no identity, is absent or empty.
    case missingIdentity(String)
    /// The value of this key, which tells passes or issuers apart, has more than 30 combining marks in a
    /// row. To break the run, as in other text, could make one value of two.
    case longCombiningRun(String)
    /// A limit of ``PassLimits``, by its name, and its value.
    case overLimit(String, Int)
}

extension PassError: CustomStringConvertible {
    /// A clause without a full stop, to be put behind the name of the file.
    public var description: String {
        switch self {
        case .notJSON(let reason, let line, let column):
            "pass.json is not JSON: \(reason) at line \(line), column \(column)"
        case .notAnObject(let kind): "pass.json holds \(kind) where an object belongs"
        case .missingIdentity(let key): "Pass dictionary must contain key '\(key)'"
        case .longCombiningRun(let key): "'\(key)' has more than 30 combining marks in a row"
        case .overLimit(let name, let value): "pass.json exceeds the limit \(name) of \(value)"
        }
    }
}
