internal import CGTK
internal import Localization
internal import PassCommands
internal import PassPresentation

/// The passes that somebody is asked about, each on a page of its own, which is made when it is first seen:
/// nobody waits for those that he never looks at.
@MainActor
final class ProposalDeck {
    let widget = Stack().expanding(horizontally: true, vertically: true)
    let proposals: [Proposal]
    /// Which of them is seen.
    private(set) var index = 0
    /// Those that are in the library now.
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

    /// Nil where there is no pass at all.
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

    /// Shows the page, unless there is none there.
    func go(to index: Int) {
        guard proposals.indices.contains(index) else { return }
        self.index = index
        if let page { widget.show(page.widget) }
    }

    func fit(width: Double) {
        self.width = width
        for page in pages.values { page.fit(width: width) }
    }

    /// What can be done with a pass that was not added yet.
    func choice(at index: Int) -> Proposal.Choice {
        added.contains(index) ? .nothing : proposals[index].choice
    }

    /// What would be added if somebody says so.
    var undecided: [Int] {
        proposals.indices.filter { [.add, .addAnyway].contains(choice(at: $0)) }
    }

    /// What is added without a further question.
    var trusted: [Int] { proposals.indices.filter { choice(at: $0) == .add } }

    /// Says on the pages that were seen what happens to these passes.
    func say(_ text: String?, about indices: [Int]) {
        for index in indices { pages[index]?.say(text ?? proposals[index].standing(displayLocale)) }
    }

    /// Goes on to the next pass that may be added, or one before.
    func note(added new: [Int]) {
        added.formUnion(new)
        say(localized("In the library"), about: new)
        let rest = undecided
        go(to: rest.first { $0 > index } ?? rest.first ?? index)
    }
}
