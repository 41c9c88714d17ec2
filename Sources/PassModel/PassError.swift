/// Why the bytes could not be read as a pass.
public enum PassError: Error, Sendable, Hashable {
    /// pass.json is not JSON, even leniently; line and column count from 1, in characters.
    case notJSON(String, line: Int, column: Int)
    /// pass.json contains a value of this type instead of an object.
    case notAnObject(String)
    /// The key, required for the identity of a pass, is absent or empty.
    case missingIdentity(String)
    /// The value of this key, which identifies passes or issuers, contains more than 30 consecutive
    /// combining marks. Breaking the run, as in other text, could make two values equal.
    case longCombiningRun(String)
    /// The name and value of an exceeded limit of ``PassLimits``.
    case overLimit(String, Int)
}

extension PassError: CustomStringConvertible {
    /// A clause without a full stop, to follow the file name.
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
