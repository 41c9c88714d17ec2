/// A finding, an error or a result that this module turns into a sentence. Other modules produce
/// and pass it as data.
///
/// ```swift
/// for finding in verification.reasons { print(finding.phrase.localized) }
/// ```
public protocol Worded {
    /// The sentence that describes the value.
    var phrase: Phrase { get }
}

extension Error {
    /// The sentence that describes an error; errors of other libraries keep their own text.
    package var phrase: Phrase {
        (self as? any Worded)?.phrase ?? .verbatim("\(self)")
    }
}
