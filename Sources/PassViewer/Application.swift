internal import CGTK
internal import PassModel
internal import PassPresentation
internal import PassSession

/// Owns the open windows and the exit code of the program.
@MainActor
@safe
final class Application {
    /// The name of its desktop entry, without `.desktop`.
    static let id = "org.passconduit.Passconduit"

    let pointer: UnsafeMutablePointer<GtkApplication>
    private let session: WindowSession
    /// Keeps the open windows alive.
    private var windows: [AnyObject] = []
    private var library: LibraryWindow?
    private var code = ExitCode.done

    init(_ session: WindowSession) {
        self.session = session
        // One process per start, so that a file read by one process cannot harm the others.
        unsafe pointer = gtk_application_new(Application.id, G_APPLICATION_NON_UNIQUE)
    }

    /// Runs until the last window is closed. Shows files, and passes of the library; without either,
    /// the library.
    func run(showing reading: OpenedFiles?, _ stored: [PassIdentity]) -> ExitCode {
        unsafe connect(pointer, "startup") {
            StyleSheet.apply()
            // X11 desktops that read no desktop entries show this icon.
            unsafe gtk_window_set_default_icon_name(Application.id)
        }
        unsafe connect(pointer, "activate") { [weak self] in
            if reading == nil || !stored.isEmpty { self?.showLibrary(with: stored) }
            if let reading { self?.show(reading) }
        }
        unsafe g_application_run(gApplication, 0, nil)
        windows = []
        library = nil
        unsafe g_object_unref(pointer)
        return code
    }

    /// Opens files that were dropped on a window.
    func open(_ files: [String]) { show(OpenedFiles(files, in: session)) }

    private func show(_ reading: OpenedFiles) {
        let window = OpenWindow(self, session)
        windows.append(window)
        window.present()
        reading.onceDone { [weak self, weak window] opened in
            // It keeps itself alive until it has finished reading.
            _ = reading
            self?.end(with: opened.code)
            window?.show(opened.proposals, opened.problems)
        }
    }

    /// Shows the library and selects the first of these passes that it contains. Reports the others.
    private func showLibrary(with passes: [PassIdentity]) {
        showLibrary(selecting: nil)
        if passes.isEmpty { return }
        let session = session
        hold()
        inBackground {
            session.missing(of: passes)
        } then: { [weak self] missing in
            guard let self else { return }
            if let first = passes.first(where: { missing[$0] == nil }) { library?.select(first) }
            let problems = passes.compactMap { missing[$0] }
            if !problems.isEmpty {
                end(with: .unreadable)
                library?.show(problem: problems.joined(separator: "\n"))
            }
            release()
        }
    }

    func showLibrary(selecting identity: PassIdentity?) {
        let window = library ?? LibraryWindow(self, session)
        library = window
        window.present()
        if let identity { window.select(identity) }
    }

    func showBarcode(of pass: Pass, _ displayLocale: DisplayLocale, above window: Window) {
        guard let barcodes = BarcodeWindow(self, pass, displayLocale, above: window) else { return }
        windows.append(barcodes)
        barcodes.present()
    }

    func showKeys(above window: Window) {
        let keys = KeyList(self, above: window)
        windows.append(keys)
        keys.present()
    }

    /// Drops the reference to a closed window.
    func forget(_ window: AnyObject) {
        windows.removeAll { $0 === window }
        if library === window { library = nil }
    }

    /// Joins `code` with the exit code of the program.
    func end(with code: ExitCode) { self.code = self.code.joined(with: code) }

    /// Shows a problem in its window, or as a notification if the window is closed.
    func report(_ problem: String, titled title: String, in bars: BarStack? = nil) {
        if let bars, !bars.isClosed { return bars.show(problem: problem) }
        session.report(problem, titled: title)
        end(with: .unreadable)
    }

    /// Keeps the program running, even without windows, until ``release()`` is called.
    func hold() { unsafe g_application_hold(gApplication) }

    func release() { unsafe g_application_release(gApplication) }

    private var gApplication: UnsafeMutablePointer<GApplication> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GApplication.self)
    }
}
