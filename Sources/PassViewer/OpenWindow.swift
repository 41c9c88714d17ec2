internal import CGTK
internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// The window that shows opened passes with their verdicts and offers to add them.
@MainActor
final class OpenWindow {
    private let window: Window
    private let session: WindowSession
    private let application: Application
    private let cancelButton = Button(localized("_Cancel"))
    private let addButton = Button(localized("_Add")).classed("suggested-action")
    private let addAllButton = Button(localized("Add A_ll"))
    private let content = Stack()
    private let position = Label().centred().inOneLine().expanding(horizontally: true)
    private let pager: Box
    private let previous = Button(icon: "go-previous-symbolic", localized("Previous pass"))
    private let next = Button(icon: "go-next-symbolic", localized("Next pass"))
    private let bottom = Box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private var addingProblem: Widget?
    /// Nil until the files are read.
    private var deck: ProposalDeck?
    private var width = 420.0
    /// Indices of the passes that are being added.
    private var adding: Set<Int> = []
    private var isBusy: Bool { !adding.isEmpty }
    /// The warning that is shown; the user has to confirm it.
    private var warning: Warning?

    init(_ application: Application, _ session: WindowSession) {
        self.application = application
        self.session = session
        window = unsafe Window(application.pointer, title: localized("Add Pass"))
        pager = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [previous, position, next])
        layOut()
        addShortcuts()
    }

    private func layOut() {
        window.setSize(width: 420, height: 720)
        window.hidesWindowButtons()
        window.addToHeader(cancelButton)
        window.addToHeader(addButton, atEnd: true)
        addButton.isSensitive = false
        content.expanding(horizontally: true, vertically: true)
        content.replaceAll(with: Label(localized("Reading…")).centred())
        bottom.margin(8)
        bottom.isVisible = false
        pager.isVisible = false
        addAllButton.isVisible = false
        bottom.append(pager)
        bottom.append(addAllButton)
        window.setContent(Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [content, bottom]))
        window.setDefault(addButton)
        cancelButton.on("clicked") { [weak self] in self?.cancel() }
        addButton.on("clicked") { [weak self] in self?.decide() }
        addAllButton.on("clicked") { [weak self] in self?.addAll() }
        previous.on("clicked") { [weak self] in self?.move(by: -1) }
        next.on("clicked") { [weak self] in self?.move(by: 1) }
        window.onClose { [weak self] in self?.closed() }
        window.onWidth { [weak self] width in self?.fit(Double(width)) }
    }

    private func addShortcuts() {
        window.addShortcut("Escape") { [weak self] in self?.cancel() != nil }
        window.addShortcut("Page_Up|<Alt>Left") { [weak self] in self?.move(by: -1) != nil }
        window.addShortcut("Page_Down|<Alt>Right") { [weak self] in self?.move(by: 1) != nil }
        for key in ViewerKey.allCases {
            guard let keys = key.keys, let action = action(of: key) else { continue }
            window.addShortcut(keys) { [weak self] in
                guard let self else { return false }
                action(self)
                return true
            }
        }
    }

    /// The action of a key that works in both windows.
    private func action(of key: ViewerKey) -> ((OpenWindow) -> Void)? {
        switch key {
        case .barcode: { $0.showBarcode() }
        case .turn: { $0.deck?.page?.turn() }
        case .help: { $0.application.showKeys(above: $0.window) }
        case .end: { $0.cancel() }
        default: nil
        }
    }

    func present() { window.present() }

    func show(_ proposals: [Proposal], _ problems: [String]) {
        if proposals.isEmpty { return showNothing(problems) }
        let deck = ProposalDeck(proposals, session.displayLocale, width: width) { [weak self] in
            self?.showBarcode()
        }
        self.deck = deck
        for problem in problems.prefix(5) { show(problem: problem) }
        pager.isVisible = proposals.count > 1
        bottom.isVisible = proposals.count > 1 || !problems.isEmpty
        showPage()
        content.replaceAll(with: deck.widget)
    }

    private func showNothing(_ problems: [String]) {
        window.title = localized("Pass")
        let box = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(12)
        box.append(Label(localized("There is no pass to show.")).centred().classed("heading"))
        for problem in problems { box.append(ProblemBar(problem).widget) }
        content.replaceAll(with: Scroller(box))
        cancelButton.title = localized("_Close")
        addButton.isVisible = false
    }

    private func show(problem: String) {
        bottom.append(ProblemBar(problem).widget)
        bottom.isVisible = true
    }

    /// Shows why adding failed; nil removes an earlier message.
    private func show(addingProblem problem: String?) {
        if let old = addingProblem { bottom.remove(old) }
        addingProblem = problem.map { ProblemBar($0).widget }
        guard let bar = addingProblem else { return }
        bottom.append(bar)
        bottom.isVisible = true
    }

    private func fit(_ width: Double) {
        self.width = width
        deck?.fit(width: width)
    }

    private func move(by step: Int) {
        guard let deck, !isBusy else { return }
        deck.go(to: deck.index + step)
        showPage()
    }

    /// Shows the current pass and updates the buttons for it.
    private func showPage() {
        guard let deck else { return }
        deck.go(to: deck.index)
        if let warning {
            // Otherwise GTK would use the removed widget.
            window.setDefault(nil)
            deck.widget.remove(warning.widget)
        }
        warning = nil
        let (choice, proposal) = (deck.choice(at: deck.index), deck.proposals[deck.index])
        previous.isSensitive = !deck.isAtStart && !isBusy
        next.isSensitive = !deck.isAtEnd && !isBusy
        switch choice {
        case .add, .addAnyway: window.title = localized("Add Pass")
        case .show, .nothing: window.title = localized("Pass")
        }
        position.text = localized(
            "{number} of {count}",
            ["number": "\(deck.index + 1)", "count": "\(deck.proposals.count)"])
        addAllButton.isVisible = deck.trusted.count > 1
        addAllButton.isSensitive = !isBusy
        cancelButton.title = deck.undecided.isEmpty ? localized("_Close") : localized("_Cancel")
        cancelButton.isSensitive = !isBusy
        addButton.isVisible = choice != .nothing
        addButton.isSensitive = !isBusy
        addButton.title =
            switch choice {
            case .show: localized("Sho_w in Library")
            case .addAnyway: localized("_Add…")
            case .add, .nothing:
                proposal.prospect?.admission == .updated ? localized("_Replace") : localized("_Add")
            }
        window.setDefault(addButton)
        addButton.focus()
    }

    /// Adds the shown pass, after a warning if it is not trusted, or opens it in the library.
    private func decide() {
        guard let deck, !isBusy else { return }
        switch deck.choice(at: deck.index) {
        case .add: add([deck.index])
        case .show(let identity):
            application.showLibrary(selecting: identity)
            window.close()
        case .addAnyway: warn(about: deck.index)
        case .nothing: break
        }
    }

    private func addAll() { add(deck?.trusted ?? []) }

    private func warn(about index: Int) {
        guard let deck, warning == nil else { return }
        let warning = Warning(about: deck.proposals[index])
        warning.addButton.on("clicked") { [weak self] in self?.add([index]) }
        warning.keepOutButton.on("clicked") { [weak self] in self?.showPage() }
        self.warning = warning
        addButton.isSensitive = false
        deck.widget.add(warning.widget)
        deck.widget.show(warning.widget)
        window.setDefault(warning.keepOutButton)
        warning.keepOutButton.focus()
    }

    private func add(_ indices: [Int]) {
        guard let deck, !isBusy else { return }
        let passes = indices.compactMap { index in
            let found = deck.proposals[index].found
            return found.verification.verified.map { ($0, found.origin) }
        }
        if passes.isEmpty { return }
        adding = Set(indices)
        showPage()
        // Adding may have to wait for other processes that write to the library.
        deck.say(localized("Adding…"), about: indices)
        let session = session
        application.hold()
        inBackground {
            Result { try session.add(passes) }
        } then: { [weak self, application] result in
            // The window may be closed by now; the program exits only after this.
            if let self {
                added(indices, result.map { _ in })
            } else if case .failure(let error) = result {
                let problem = error.advisedPhrase.localized.escaped
                application.report(problem, titled: localized("Passes could not be added"))
            }
            application.release()
        }
    }

    private func added(_ indices: [Int], _ result: Result<Void, any Error>) {
        guard let deck else { return }
        adding = []
        switch result {
        case .success:
            show(addingProblem: nil)
            deck.note(added: indices)
            if deck.undecided.isEmpty { return window.close() }
            showPage()
        case .failure(let error):
            deck.say(nil, about: indices)
            showPage()
            show(addingProblem: error.advisedPhrase.localized.escaped)
        }
    }

    private func showBarcode() {
        guard let deck, let pass = deck.page?.proposal.found.verification.pass else { return }
        application.showBarcode(of: pass, session.displayLocale, above: window)
    }

    private func cancel() { if !isBusy { window.close() } }

    private func closed() {
        for (index, proposal) in (deck?.proposals ?? []).enumerated()
        where deck?.added.contains(index) == false && !adding.contains(index) {
            let isFine: Bool
            switch proposal.choice {
            case .add, .show: isFine = true
            case .addAnyway, .nothing: isFine = false
            }
            application.end(with: isFine ? .done : .notTrusted)
        }
        application.forget(self)
    }
}
