internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassVerification

extension OpenWindow {
    /// Adds the shown pass, after a warning if it is not trusted, or opens it in the library.
    func decide() {
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

    func addAll() { add(deck?.trusted ?? []) }

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
                let problem = error.phrase.localized.escaped
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
            show(addingProblem: error.phrase.localized.escaped)
        }
    }
}
