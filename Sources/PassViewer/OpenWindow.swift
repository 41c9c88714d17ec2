internal import CGTK
internal import Localization
internal import PassCommands
internal import PassImport
internal import PassModel
internal import PassStore
internal import PassVerification

/// The window that shows passes with their verdicts, and adds those that are wanted.
@MainActor
final class OpenWindow {
    private let window: Window
    private let session: WindowSession
    private let application: Application
    private let cancelButton = Button(localized("_Cancel"))
    private let addButton = Button(localized("_Add")).classed("suggested-action")
    private let addAllButton = Button(localized("Add A_ll"))
    private let pages = Stack()
    private let position = Label().centred().inOneLine().expanding(horizontally: true)
    private let pager: Box
    private let previous = Button(icon: "go-previous-symbolic", localized("Previous pass"))
    private let next = Button(icon: "go-next-symbolic", localized("Next pass"))
    private let bottom = Box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private var proposals: [ProposalPage] = []
    private var index = 0
    private var width = 420.0
    /// Whether passes are being added.
    private var isBusy = false
    /// What the person was warned of before, and has to say again.
    private var warning: Warning?

    init(_ application: Application, _ session: WindowSession) {
        self.application = application
        self.session = session
        window = unsafe Window(application.pointer, title: localized("Add Pass"))
        pager = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [previous, position, next])
        layOut()
    }

    private func layOut() {
        window.setSize(width: 420, height: 720)
        window.hidesWindowButtons()
        window.addToHeader(cancelButton)
        window.addToHeader(addButton, atEnd: true)
        addButton.isSensitive = false
        pages.expanding(horizontally: true, vertically: true)
        pages.replaceAll(with: Label(localized("Reading…")).centred())
        bottom.margin(8)
        bottom.isVisible = false
        pager.isVisible = false
        addAllButton.isVisible = false
        bottom.append(pager)
        bottom.append(addAllButton)
        window.setContent(Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [pages, bottom]))
        window.setDefault(addButton)
        cancelButton.on("clicked") { [weak self] in self?.cancel() }
        addButton.on("clicked") { [weak self] in self?.decide() }
        addAllButton.on("clicked") { [weak self] in self?.addAll() }
        previous.on("clicked") { [weak self] in self?.move(by: -1) }
        next.on("clicked") { [weak self] in self?.move(by: 1) }
        window.onClose { [weak self] in self?.closed() }
        window.onWidth { [weak self] width in self?.fit(Double(width)) }
        addShortcuts()
    }

    private func addShortcuts() {
        window.addShortcut("Escape") { [weak self] in self?.cancel() != nil }
        window.addShortcut("<Control>q") { [weak self] in self?.cancel() != nil }
        window.addShortcut("Page_Up|<Alt>Left") { [weak self] in self?.move(by: -1) != nil }
        window.addShortcut("Page_Down|<Alt>Right") { [weak self] in self?.move(by: 1) != nil }
        window.addShortcut("F9") { [weak self] in self?.showBarcode() != nil }
        window.addShortcut("<Control>t") { [weak self] in self?.page?.turn() != nil }
    }

    func present() { window.present() }

    private var page: ProposalPage? { proposals.indices.contains(index) ? proposals[index] : nil }

    /// Shows what was read.
    func show(_ passes: [Proposal], _ problems: [String]) {
        proposals = passes.map { proposal in
            ProposalPage(proposal, session.reader) { [weak self] in self?.showBarcode() }
        }
        if proposals.isEmpty {
            let box = Box(GTK_ORIENTATION_VERTICAL, spacing: 10).margin(12)
            box.append(Label(localized("There is no pass to show.")).centred().classed("heading"))
            for problem in problems { box.append(ProblemBar(problem).widget) }
            pages.replaceAll(with: Scroller(box))
            cancelButton.title = localized("_Close")
            addButton.isVisible = false
            return
        }
        for page in proposals { pages.add(page.widget) }
        for problem in problems.prefix(5) { bottom.append(ProblemBar(problem).widget) }
        pager.isVisible = proposals.count > 1
        bottom.isVisible = proposals.count > 1 || !problems.isEmpty
        fit(width)
        showPage()
    }

    private func fit(_ width: Double) {
        self.width = width
        for page in proposals { page.fit(width: width) }
    }

    private func move(by step: Int) {
        guard proposals.indices.contains(index + step), !isBusy else { return }
        index += step
        showPage()
    }

    private func showPage() {
        guard let page else { return }
        pages.show(page.widget)
        if let warning { pages.remove(warning.widget) }
        warning = nil
        previous.isSensitive = index > 0
        next.isSensitive = index + 1 < proposals.count
        position.text = localized(
            "{number} of {count}", ["number": "\(index + 1)", "count": "\(proposals.count)"])
        addAllButton.isVisible = trusted.count > 1
        cancelButton.title = undecided.isEmpty ? localized("_Close") : localized("_Cancel")
        addButton.isVisible = page.outcome == .open && page.proposal.choice != .nothing
        addButton.isSensitive = !isBusy
        addButton.title =
            switch page.proposal.choice {
            case .show: localized("_Show in Library")
            case .addAnyway: localized("_Add…")
            case .add, .nothing:
                page.proposal.prospect?.admission == .updated
                    ? localized("_Replace") : localized("_Add")
            }
        window.setDefault(addButton)
        addButton.focus()
    }

    private var undecided: [ProposalPage] {
        proposals.filter { $0.outcome == .open && [.add, .addAnyway].contains($0.proposal.choice) }
    }

    /// What is added without a further question.
    private var trusted: [ProposalPage] {
        proposals.filter { $0.outcome == .open && $0.proposal.choice == .add }
    }

    private func decide() {
        guard let page, !isBusy else { return }
        switch page.proposal.choice {
        case .add: add([page])
        case .show(let identity):
            application.showLibrary(selecting: identity)
            window.close()
        case .addAnyway: warn(about: page)
        case .nothing: break
        }
    }

    private func addAll() { add(trusted) }

    private func warn(about page: ProposalPage) {
        guard warning == nil else { return }
        let warning = Warning(about: page.proposal)
        warning.addButton.on("clicked") { [weak self, weak page] in
            if let page { self?.add([page]) }
        }
        warning.keepOutButton.on("clicked") { [weak self] in self?.showPage() }
        self.warning = warning
        addButton.isSensitive = false
        pages.add(warning.widget)
        pages.show(warning.widget)
        window.setDefault(warning.keepOutButton)
        warning.keepOutButton.focus()
    }

    private func add(_ pages: [ProposalPage]) {
        let passes = pages.compactMap { page in
            page.proposal.found.verification.verified.map { ($0, page.proposal.found.origin) }
        }
        guard !isBusy, !passes.isEmpty else { return }
        isBusy = true
        showPage()
        let session = session
        application.hold()
        inBackground {
            Result { try session.add(passes) }
        } then: { [weak self, application] result in
            // The window may be closed by now, and the program waits for this.
            if let self {
                added(pages, result.map { _ in })
            } else if case .failure = result {
                application.end(with: .unreadable)
            }
            application.release()
        }
    }

    private func added(_ pages: [ProposalPage], _ result: Result<Void, any Error>) {
        isBusy = false
        switch result {
        case .success:
            for page in pages {
                page.outcome = .added
                page.say(localized("In the library"))
            }
            if undecided.isEmpty { return window.close() }
            let rest = proposals.indices.filter { proposals[$0].outcome == .open }
            index = rest.first { $0 > index } ?? rest.first ?? index
            showPage()
        case .failure(let error):
            showPage()
            bottom.append(ProblemBar("\(error)".escaped).widget)
            bottom.isVisible = true
        }
    }

    private func showBarcode() {
        guard let pass = page?.proposal.found.verification.pass else { return }
        application.showBarcode(of: pass, session.reader, above: window)
    }

    private func cancel() { if !isBusy { window.close() } }

    private func closed() {
        for page in proposals where page.outcome != .added {
            let isFine: Bool
            switch page.proposal.choice {
            case .add, .show: isFine = true
            case .addAnyway, .nothing: isFine = false
            }
            application.end(with: isFine ? .done : .notTrusted)
        }
        application.forget(self)
    }
}
