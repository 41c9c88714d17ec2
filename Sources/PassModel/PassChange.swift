public import Foundation

/// A field that says something else in a newer version of its pass.
public struct PassChange: Sendable, Hashable {
    /// The field in the older version, translated; nil where it is new.
    public let old: Field?
    /// The field in the newer version, translated; nil where it is gone.
    public let new: Field?

    /// How many Unicode scalars of a message are told; it ends in an ellipsis where there are more.
    public static let longestMessage = 1000

    /// Of the field; empty where the pass gives none.
    public var key: String { (new ?? old)?.key ?? "" }
    /// What stands above the value, as the newest version that has the field says it.
    public var label: String? { (new ?? old)?.label }
    /// What the issuer has to say about the change, with `%@` for the new value.
    public var changeMessage: String? { new?.changeMessage }

    /// The change in the issuer's words; nil where it has none for it, or the field says nothing any
    /// more: the field changes silently.
    ///
    /// Every `%@` is replaced by the value. A message without one is none that Apple allows: Wallet then
    /// only says that the pass has changed, here the label and the value say what.
    ///
    /// - Parameter value: The new value, as it is shown.
    public func message(showing value: String) -> String? {
        guard let changeMessage, !changeMessage.isEmpty, !value.isEmpty else { return nil }
        let limit = PassChange.longestMessage
        guard changeMessage.contains("%@") else {
            let label = label ?? ""
            return (label.isEmpty ? value : "\(label): \(value)").ending(after: limit)
        }
        var message = String.UnicodeScalarView()
        var count = 0
        var rest = changeMessage.unicodeScalars[...]
        // The value may be long, and the message may have it again and again.
        while count <= limit, let scalar = rest.popFirst() {
            if scalar == "%", rest.first == "@" {
                rest.removeFirst()
                let shown = value.unicodeScalars.prefix(limit + 1 - count)
                message.append(contentsOf: shown)
                count += shown.count
            } else {
                message.append(scalar)
                count += 1
            }
        }
        return String(message).ending(after: limit)
    }

    /// The change in the issuer's words, for a person: as ``message(showing:)``, with the value as
    /// ``Field/shownText(locale:timeZone:now:)`` has it.
    public func message(locale: Locale, timeZone: TimeZone, now: Date) -> String? {
        new.flatMap { field in
            message(showing: field.shownText(locale: locale, timeZone: timeZone, now: now))
        }
    }
}

extension String {
    fileprivate func ending(after limit: Int) -> String {
        let head = unicodeScalars.prefix(limit)
        return head.endIndex == unicodeScalars.endIndex ? self : String(head) + "\u{2026}"
    }
}
