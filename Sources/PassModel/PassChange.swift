public import Foundation

/// A field that changed in a newer version of its pass.
///
/// ```swift
/// print(change.label ?? change.key, change.old?.value ?? "-", change.new?.value ?? "-")
/// ```
public struct PassChange: Sendable, Hashable {
    /// The field in the older version, translated; nil if it is new.
    public let old: Field?
    /// The field in the newer version, translated; nil if it was removed.
    public let new: Field?

    /// The maximum length of a message in Unicode scalars; longer ones end in an ellipsis.
    package static let longestMessage = 1000

    /// The key of the field; empty if absent.
    public var key: String { (new ?? old)?.key ?? "" }
    /// The label of the field in the newest version that contains it.
    public var label: String? { (new ?? old)?.label }
    /// The issuer's message about the change, with `%@` for the new value.
    public var changeMessage: String? { new?.changeMessage }

    /// The issuer's message about the change. Nil, for a silent change, if there is no message or
    /// the new value is empty.
    ///
    /// Every `%@` is replaced by the value. Apple requires a `%@`: for a message without one,
    /// Wallet only reports that the pass has changed, while this method returns label and value.
    ///
    /// For a field with the message "Gate changed to %@":
    ///
    /// ```swift
    /// print(change.message(showing: "B12") ?? "")  // Gate changed to B12
    /// ```
    ///
    /// - Parameter value: The new value, as displayed.
    public func message(showing value: String) -> String? {
        guard let changeMessage, !changeMessage.isEmpty, !value.isEmpty else { return nil }
        let limit = PassChange.longestMessage
        // VIOLATIONS.md, P24: no `%@`.
        guard changeMessage.contains("%@") else {
            let label = label ?? ""
            return (label.isEmpty ? value : "\(label): \(value)").ending(after: limit)
        }
        var message = String.UnicodeScalarView()
        var count = 0
        var rest = changeMessage.unicodeScalars[...]
        // Limit the length: the value may be long and repeated.
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

    /// The issuer's message about the change. Like ``message(showing:)``, with the value formatted
    /// by ``Field/shownText(locale:timeZone:now:)``.
    ///
    /// For example: `let text = change.message(locale: .current, timeZone: .current, now: .now)`
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
