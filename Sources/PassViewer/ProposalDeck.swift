internal import CGTK
internal import Localization
internal import PassPresentation

/// The opened passes, each on a page of its own. A page is made when it is first shown.
@MainActor
final class ProposalDeck {
    let widget = Stack().expanding(horizontally: true, vertically: true)
    let proposals: [Proposal]
    /// Index of the shown pass.
    private(set) var index = 0
    /// Indices of the passes that were added.
    private(set) var added: Set<Int> = []
    private let displayLocale: DisplayLocale
    private let showBarcode: @MainActor @Sendable () -> Void
    private var pages: [Int: ProposalPage] = [:]
    private var width: Double

    init(
        _ proposals: [Proposal], _ displayLocale: DisplayLocale, width: Double,
        showBarcode: @escaping @MainActor @Sendable () -> Void
    ) {
        self.proposals = proposals
        self.displayLocale = displayLocale
        self.width = width
        self.showBarcode = showBarcode
    }

    var isAtStart: Bool { index == 0 }
    var isAtEnd: Bool { index + 1 >= proposals.count }

    /// The current page; nil if there are no passes.
    var page: ProposalPage? {
        guard proposals.indices.contains(index) else { return nil }
        if let page = pages[index] { return page }
        let page = ProposalPage(proposals[index], displayLocale, showBarcode: showBarcode)
        page.fit(width: width)
        if added.contains(index) { page.say(localized("In the library")) }
        widget.add(page.widget)
        pages[index] = page
        return page
    }

    /// Shows a page; does nothing if the index is out of range.
    func go(to index: Int) {
        guard proposals.indices.contains(index) else { return }
        self.index = index
        if let page { widget.show(page.widget) }
    }

    func fit(width: Double) {
        self.width = width
        for page in pages.values { page.fit(width: width) }
    }

    /// The action for a pass; `nothing` once it is added.
    func choice(at index: Int) -> Proposal.Choice {
        added.contains(index) ? .nothing : proposals[index].choice
    }

    /// Passes that can still be added, with or without a warning.
    var undecided: [Int] {
        proposals.indices.filter { [.add, .addAnyway].contains(choice(at: $0)) }
    }

    /// Passes that can be added without a warning.
    var trusted: [Int] { proposals.indices.filter { choice(at: $0) == .add } }

    /// Shows the state of these passes on the pages made so far.
    func say(_ text: String?, about indices: [Int]) {
        for index in indices {
            let proposal = proposals[index]
            let standing = proposal.prospect?.sentence(on: proposal.verdict, displayLocale)
            pages[index]?.say(text ?? standing)
        }
    }

    /// Goes to the next pass that can be added, or back to the first such one.
    func note(added new: [Int]) {
        added.formUnion(new)
        say(localized("In the library"), about: new)
        let rest = undecided
        go(to: rest.first { $0 > index } ?? rest.first ?? index)
    }
}
