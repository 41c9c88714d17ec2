internal import CGTK
internal import Localization
internal import PassModel
internal import PassSession
internal import PassStore

/// The window of the library: the list of passes and, where there is room, the selected pass beside
/// it.
///
/// Extensions hold its parts: +List (rows, selection, search), +Pass (the selected pass),
/// +Removing, +Sharing and +Keys.
@MainActor
final class LibraryWindow {
    let window: Window
    let session: WindowSession
    let application: Application

    let search = SearchEntry(localized("Search passes"))
    let searching = LibrarySearch()
    let notice = Label().centred()
    private(set) lazy var choice = ChoiceBar(paneActions)
    let bars = BarStack()
    let details = Stack()
    private(set) var list: PassList?
    private let backButton = Button(icon: "go-previous-symbolic", localized("Back to the list"))
    private let side = Box(GTK_ORIENTATION_VERTICAL, spacing: 0)
    private let halves: Paned

    private var feed: Task<Void, Never>?
    var snapshot = LibrarySnapshot()
    private(set) var removals: Removals?
    let copies: Copies
    /// A pass to select once the list has it.
    var wanted: PassIdentity?
    /// Scroll position of the list before the search.
    var placeBefore = 0.0
    var shown = ShownPass()
    /// Delays the message that a pass is being read.
    var timer: Timer?

    private(set) var isNarrow = false
    private(set) var isClosed = false
    private var width = 900.0

    /// In points. In narrower windows, the list and the pass replace each other.
    static let narrow = 720.0

    init(_ application: Application, _ session: WindowSession) {
        self.application = application
        self.session = session
        copies = Copies(session)
        window = unsafe Window(application.pointer, title: localized("Passes"))
        halves = Paned(side, details, position: 300)
        layOut()
        addShortcuts()
        begin()
    }

    private func layOut() {
        window.setSize(width: 900, height: 700)
        window.addToHeader(backButton)
        backButton.isVisible = false
        backButton.on("clicked") { [weak self] in self?.goBack() }
        let list = makeList()
        self.list = list
        search.margin(6)
        side.append(search)
        side.append(notice.margin(12))
        side.append(list.widget)
        side.append(choice.widget)
        side.append(bars.widget)
        details.expanding(horizontally: true, vertically: true)
        details.replaceAll(with: emptyDetail)
        window.setContent(halves)
        // Widgets must not change visibility during layout.
        halves.onMove { onMain { [weak self] in self?.fit() } }
        listenToSearch()
        window.acceptFiles { [weak self] files in self?.application.open(files) }
        window.onClose { [weak self] in self?.closed() }
        window.onWidth { [weak self] width in
            self?.width = Double(width)
            self?.fit()
        }
        fit()
    }

    private func begin() {
        removals = makeRemovals()
        let feed = LibraryFeed(session) { [weak self] snapshot in self?.take(snapshot) }
        self.feed = Task.detached { await feed.run() }
        notice.text = localized("Reading…")
    }

    func present() {
        window.present()
        list?.focus()
    }

    /// Shows list and pass side by side, or only one of them in a narrow window.
    func fit() {
        isNarrow = width < LibraryWindow.narrow
        side.isVisible = !isNarrow || !shown.isOpen
        details.isVisible = !isNarrow || shown.isOpen
        backButton.isVisible = isNarrow && shown.isOpen
        shown.pane?.fit(width: isNarrow ? width : width - Double(halves.position))
    }

    func focusBack() { backButton.focus() }

    private func closed() {
        isClosed = true
        feed?.cancel()
        removals?.finishAll()
        application.forget(self)
    }
}
