internal import Foundation
internal import PassVerification

/// The result of adding a pass.
///
/// ```swift
/// for admission in try library.add([incoming]) where admission == .older {
///     print("a better version is in the library")
/// }
/// ```
public enum Admission: String, Sendable, Codable {
    /// The pass is new to the library.
    case added
    /// The pass was known; this version, or a new verdict on it, is now current.
    case updated
    /// The version was known. If this is a better copy of it, it is stored from now on.
    case unchanged
    /// A newer or more trusted version is current; this one was added to the history.
    case older
}

/// The result of adding a pass, and the version that it replaced.
package struct Admitted: Sendable {
    package let admission: Admission
    /// The SHA-256 of the previously current version, if the result is `updated`. It may be the
    /// same version with a new verdict.
    package let replaced: String?
    /// Whether the user wants notifications of changes of this pass.
    package let showsNotifications: Bool

    init(_ admission: Admission, replaced: String? = nil, showsNotifications: Bool = true) {
        self.admission = admission
        self.replaced = replaced
        self.showsNotifications = showsNotifications
    }
}

/// The order that determines the current version of a pass: the greatest.
struct VersionRank: Comparable {
    let standing: Standing
    /// The signing time.
    let signedAt: Date?
    /// The place in the order in which versions entered the library.
    let arrival: Int64

    /// - The better standing wins, whatever the signing times.
    /// - Then the later signing time.
    /// - If it is equal or absent, the version that arrived later. The dates of messages do not
    ///   count, since senders choose them. A version that arrives again keeps its place: an old
    ///   ticket stays old when it is forwarded.
    static func < (left: VersionRank, right: VersionRank) -> Bool {
        if left.standing != right.standing { return left.standing < right.standing }
        if left.signedAt != right.signedAt {
            return left.signedAt ?? .distantPast < right.signedAt ?? .distantPast
        }
        return left.arrival < right.arrival
    }
}
