internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification

/// The columns of a list that pass.json fills.
struct PassSummary {
    var style: String?
    var relevantDate: Date?
    var expirationDate: Date?
    var isVoided = false

    init(_ pass: Pass) {}
}

extension Pass {
    /// Stores what the pass says, so that it can be read again without its file.
    func writeTexts(version: Int64, _ db: Database) throws {}

    /// Everything that a person may search for, in all languages.
    var searchableTexts: [String] { [] }

    static func read(version: Int64, _ db: Database) throws -> Pass? { nil }
}

extension VerifiedPass {
    var manifestSHA256: String? { nil }
}
