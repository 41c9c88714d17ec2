internal import CGTK
internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The pane that shows a pass.
extension LibraryWindow {
    var emptyDetail: Widget { words(localized("Select a pass.")) }

    private func words(_ text: String) -> Widget {
        Label(text).centred().classed("dim-label")
            .aligned(horizontally: GTK_ALIGN_CENTER, vertically: GTK_ALIGN_CENTER)
    }

    /// - Parameter version: An older version; nil for the current one.
    func open(_ id: StoredPass.ID?, version: StoredVersion? = nil) {
        guard let id, let pass = snapshot.passes[id] else { return }
        let isShown = shown.id == id && shown.version == version
        guard !isShown || isNarrow && !shown.isOpen else { return }
        shown.version = version
        if shown.id != id || !shown.isOpen { clear(for: id) }
        read(pass)
    }

    /// Clears the pane, so that no action applies to the pass shown before.
    private func clear(for id: StoredPass.ID) {
        shown.id = id
        shown.pane = nil
        shown.hasFailed = false
        shown.isSeveral = false
        details.replaceAll(with: words(""))
        let reading = shown.readings + 1
        timer = Timer(milliseconds: 300) { [weak self] in
            guard let self, shown.readings == reading, !shown.isOpen, shown.id != nil else {
                return
            }
            details.replaceAll(with: words(localized("Reading…")))
        }
        fit()
    }

    /// Reads a pass again; the pane keeps its content until then.
    func read(_ pass: StoredPass) {
        // An older version may have become the current one again.
        if shown.version?.sha256 == pass.current.sha256 { shown.version = nil }
        shown.readings += 1
        if !shown.isReading { begin(pass) }
    }

    private func begin(_ pass: StoredPass) {
        let (session, now, version) = (session, Date.now, shown.version)
        let reading = shown.readings
        shown.isReading = true
        inBackground {
            Result { try StoredDetail(pass, version, in: session, now: now) }
        } then: { [weak self] result in
            guard let self else { return }
            shown.isReading = false
            guard shown.readings == reading, shown.id == pass.id else {
                // Another pass was selected in the meantime.
                if let next = shown.id.flatMap({ snapshot.passes[$0] }) { begin(next) }
                return
            }
            switch result {
            case .success(let detail): show(detail)
            case .failure(let error): showFailure(error.phrase.localized.escaped)
            }
        }
    }

    private func show(_ detail: StoredDetail) {
        let pane = DetailPane(detail, session.displayLocale.reading(at: .now), paneActions)
        let old = shown.pane
        if let old, old.shows(detail) { pane.goOn(from: old) }
        pane.face.offerFiles { [weak self] in self?.copy(of: detail) ?? [] }
        shown.pane = pane
        shown.hasFailed = false
        details.replaceAll(with: pane.widget)
        fit()
        if isNarrow, old == nil { focusBack() }
    }

    private func showFailure(_ problem: String) {
        shown.pane = nil
        shown.hasFailed = true
        let bar = ProblemBar(problem).widget.margin(12)
        details.replaceAll(with: Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [bar]))
        fit()
    }

    /// - Parameter text: Shown in place of the pass.
    func close(saying text: String? = nil) {
        shown.id = nil
        shown.version = nil
        shown.pane = nil
        shown.hasFailed = false
        shown.isSeveral = false
        details.replaceAll(with: text.map(words) ?? emptyDetail)
        fit()
    }

    func goBack() {
        list?.select([])
        close()
        list?.focus()
    }

    /// Goes back from an older version to the current one, from a pass to the list, from a search
    /// to all passes.
    func escape() {
        if shown.version != nil, let id = shown.id {
            open(id)
        } else if isNarrow, shown.isOpen {
            goBack()
        } else {
            if !search.text.isEmpty { search.text = "" }
            list?.focus()
        }
    }

    func showBarcode() {
        guard let pass = shown.pane?.detail.pass else { return }
        application.showBarcode(of: pass, session.displayLocale, above: window)
    }

    var paneActions: DetailPane.Actions {
        DetailPane.Actions(
            showBarcode: { [weak self] in self?.showBarcode() },
            export: { [weak self] in self?.export() }, mail: { [weak self] in self?.mail() },
            remove: { [weak self] in self?.remove() },
            showVersion: { [weak self] in self?.show(version: $0) },
            exportVersion: { [weak self] in self?.export(version: $0) })
    }

    private func show(version: StoredVersion) {
        guard let detail = shown.pane?.detail else { return }
        let isFront = version.sha256 == detail.stored.current.sha256
        open(detail.stored.id, version: isFront ? nil : version)
    }
}
