internal import CGTK
internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassVerification

/// One page of the window that offers passes to add.
@MainActor
final class ProposalPage {
    let widget: Scroller
    let proposal: Proposal
    private let sides: PassSides?
    private let news = Label().centred().classed("heading")
    private let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(12)

    init(
        _ proposal: Proposal, _ displayLocale: DisplayLocale,
        showBarcode: @escaping @MainActor @Sendable () -> Void
    ) {
        self.proposal = proposal
        let verification = proposal.found.verification
        if let pass = verification.pass, let face = proposal.face {
            sides = PassSides(pass, face, displayLocale, showBarcode: showBarcode)
        } else {
            sides = nil
        }
        let verdict = VerdictWords(
            verification, otherType: proposal.found.otherType?.phrase.localized, displayLocale)
        content.append(VerdictBar(verdict).widget)
        content.append(news)
        if !proposal.changes.isEmpty {
            content.append(Label(proposal.changes.joined(separator: "\n")).classed("changes"))
        }
        if let problem = proposal.problem { content.append(ProblemBar(problem).widget) }
        if let sides { content.append(sides.widget) }
        let found = proposal.found
        let place = placeInWords(found.source, found.message, found.part).shortenedName.escaped
        content.append(
            Label(localized("From {place}", ["place": place])).classed("dim-label", "caption"))
        widget = Scroller(content).expanding(horizontally: true, vertically: true)
        say(proposal.prospect?.sentence(on: proposal.verdict, displayLocale))
    }

    /// Shows what happened or would happen to the pass; nil for nothing.
    func say(_ text: String?) {
        news.text = text ?? ""
        news.isVisible = text != nil
    }

    func turn() { sides?.turn() }

    func fit(width: Double) { sides?.fit(width: width) }
}

/// An error message.
@MainActor
struct ProblemBar {
    let widget: Box

    init(_ problem: String) {
        let icon = Icon("dialog-error-symbolic").aligned(vertically: GTK_ALIGN_START)
        widget = Box(
            GTK_ORIENTATION_HORIZONTAL, spacing: 10,
            [icon, Label(problem, isSelectable: true).expanding(horizontally: true)])
        widget.classed("verdict", "verdict-refused")
    }
}
