internal import CGTK
internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The pane beside the list: reads a pass in the background and shows it.
@MainActor
final class ShownPass {
    let widget = Stack().expanding(horizontally: true, vertically: true)
    /// The pass that is shown or being read.
    private(set) var id: StoredPass.ID?
    /// The version that is shown; nil for the current one.
    private(set) var version: StoredVersion?
    /// Whether several passes are selected and none is shown.
    private(set) var isSeveral = false
    /// Nil while the pass is read, or if it cannot be read.
    private var pane: DetailPane?
    private var hasFailed = false
    /// Only one reading runs at a time: holding a key down selects hundreds of passes.
    private var isReading = false
    /// The pass to read after the one that is being read.
    private var next: StoredPass?
    /// Delays the message that a pass is being read.
    private var timer: Timer?
    private let session: WindowSession
    private let actions: Actions

    struct Actions {
        let pane: DetailPane.Actions
        /// Returns the path of a copy when the pass is dragged elsewhere.
        let files: @MainActor @Sendable (StoredDetail) -> [String]
        /// Called when the pane opens or closes.
        let changed: @MainActor () -> Void
        /// Called when a pass is opened.
        let opened: @MainActor () -> Void
    }

    init(_ session: WindowSession, _ actions: Actions) {
        self.session = session
        self.actions = actions
        widget.replaceAll(with: empty)
    }

    var isOpen: Bool { pane != nil || hasFailed }
    var detail: StoredDetail? { pane?.detail }

    /// - Parameter version: An older version; nil for the current one.
    func open(_ pass: StoredPass, version: StoredVersion?) {
        let isShown = id == pass.id && self.version == version
        guard !isShown || !isOpen && !isReading else { return }
        self.version = version
        if id != pass.id || !isOpen { clear(for: pass.id) }
        read(pass)
    }

    /// Reads a pass again; the pane keeps its content until then.
    func read(_ pass: StoredPass) {
        // An older version may have become the current one again.
        if version?.sha256 == pass.current.sha256 { version = nil }
        if isReading { next = pass } else { begin(pass) }
    }

    func close() { close(showing: empty) }

    func showSeveral(_ count: Int) {
        close(showing: words(localized("{count} passes selected", ["count": "\(count)"])))
        isSeveral = true
    }

    func turn() { pane?.turn() }
    func showSettings() { pane?.showSettings(actions.pane.settings.state) }
    func turnHistory() { pane?.turnHistory() }
    func fit(width: Double) { pane?.fit(width: width) }

    private var empty: Widget { words(localized("Select a pass.")) }

    private func words(_ text: String) -> Widget {
        Label(text).centred().classed("dim-label")
            .aligned(horizontally: GTK_ALIGN_CENTER, vertically: GTK_ALIGN_CENTER)
    }

    private func close(showing widget: Widget) {
        id = nil
        version = nil
        next = nil
        isSeveral = false
        show(nil, widget)
    }

    /// Clears the pane, so that no action applies to the pass shown before.
    private func clear(for id: StoredPass.ID) {
        self.id = id
        isSeveral = false
        timer?.cancel()
        timer = Timer(milliseconds: 300) { [weak self] in
            guard let self, !isOpen, self.id != nil else { return }
            widget.replaceAll(with: words(localized("Reading…")))
        }
        show(nil, words(""))
    }

    private func begin(_ pass: StoredPass) {
        let (session, now, version) = (session, Date.now, version)
        isReading = true
        inBackground {
            Result { try StoredDetail(pass, version, in: session, now: now) }
        } then: { [weak self] result in
            guard let self else { return }
            isReading = false
            if let next {
                self.next = nil
                return begin(next)
            }
            guard id == pass.id else { return }
            switch result {
            case .success(let detail): show(detail)
            case .failure(let error):
                let bar = ProblemBar(error.phrase.localized.escaped).widget.margin(12)
                show(nil, Box(GTK_ORIENTATION_VERTICAL, spacing: 0, [bar]), hasFailed: true)
            }
        }
    }

    private func show(_ detail: StoredDetail) {
        let new = DetailPane(detail, session.displayLocale.reading(at: .now), actions.pane)
        let old = pane
        var focused: Widget?
        if let old, old.shows(detail) {
            new.goOn(from: old)
            focused = new.control(focusedIn: old)
        }
        new.face.offerFiles { [weak self] in self?.actions.files(detail) ?? [] }
        show(new, new.widget)
        focused?.focus()
        if old == nil { actions.opened() }
    }

    private func show(_ pane: DetailPane?, _ widget: Widget, hasFailed: Bool = false) {
        self.pane = pane
        self.hasFailed = hasFailed
        self.widget.replaceAll(with: widget)
        actions.changed()
    }
}
