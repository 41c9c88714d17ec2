/// A finding, an error or an answer that this module has words for. It is data in the module that makes
/// it; its sentence is here, once.
///
/// ```swift
/// for finding in verification.reasons { print(finding.phrase.localized) }
/// ```
public protocol Worded {
    /// The sentence for it.
    var phrase: Phrase { get }
}

extension Error {
    /// The sentence for an error; what another library says of its own errors is taken as it is.
    package var phrase: Phrase {
        (self as? any Worded)?.phrase ?? .verbatim("\(self)")
    }
}
