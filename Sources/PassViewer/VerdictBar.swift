internal import CGTK
internal import Localization
internal import PassPresentation
internal import PassVerification

/// A prominent verdict, with its reasons in an expander.
@MainActor
final class VerdictBar {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 6)

    init(_ verdict: VerdictWords) {
        widget.classed("verdict", verdict.verdict.style)
        let text = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
            .expanding(horizontally: true)
        text.append(Label(verdict.title).classed("heading"))
        if let signature = verdict.signature { text.append(Label(signature)) }
        if let refusal = verdict.walletRefusal { text.append(Label(refusal)) }
        let icon = Icon(verdict.verdict.icon, size: 24).aligned(vertically: GTK_ALIGN_START)
        widget.append(Box(GTK_ORIENTATION_HORIZONTAL, spacing: 10, [icon, text]))
        if !verdict.details.isEmpty {
            let list = Box(GTK_ORIENTATION_VERTICAL, spacing: 4)
            for detail in verdict.details { list.append(Label("\u{2022} \(detail)")) }
            widget.append(Expander(localized("Details"), list))
        }
        // Screen readers read this first when the window opens.
        let spoken = [verdict.title, verdict.signature, verdict.walletRefusal]
        widget.setSpokenText(spoken.compactMap(\.self).joined(separator: ". "))
    }
}

extension Verdict {
    /// The name of an icon of the theme.
    fileprivate var icon: String {
        switch self {
        case .trusted: "emblem-ok-symbolic"
        case .untrusted, .unsigned: "dialog-warning-symbolic"
        case .tampered, .malformed: "dialog-error-symbolic"
        }
    }

    /// A class of the style sheet.
    fileprivate var style: String {
        switch self {
        case .trusted: "verdict-trusted"
        case .untrusted, .unsigned: "verdict-doubtful"
        case .tampered, .malformed: "verdict-refused"
        }
    }
}
