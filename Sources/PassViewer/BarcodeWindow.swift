internal import Barcodes
internal import CGTK
internal import Localization
internal import PassModel
internal import PassPresentation

/// A full-screen barcode, black on white, bright enough for a scanner.
@MainActor
final class BarcodeWindow {
    private let window: Window
    private let application: Application
    private let symbol: BarcodeSymbol
    private let drawing: Drawing
    private let problem = Label(localized("This screen is too small for the barcode.")).centred()

    /// Nil for a pass without a barcode that can be drawn.
    init?(
        _ application: Application, _ pass: Pass, _ displayLocale: DisplayLocale,
        above parent: Window
    ) {
        guard let barcode = ShownBarcode(of: pass.localized(for: displayLocale.languages).barcodes),
            case .success(let symbol) = barcode.symbol
        else { return nil }
        self.application = application
        self.symbol = symbol
        window = unsafe Window(application.pointer, title: localized("Barcode"))
        drawing = unsafe Drawing { context, room in
            unsafe cairo_set_source_rgb(context, 1, 1, 1)
            unsafe cairo_paint(context)
            unsafe BarcodePlan(symbol, in: room)?.draw(on: context)
        }
        layOut(barcode.text, above: parent)
    }

    private func layOut(_ text: String, above parent: Window) {
        drawing.setSpokenText(localized("Barcode"))
        drawing.expanding(horizontally: true, vertically: true)
        let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 12, [drawing, problem.margin(12)])
        problem.isVisible = false
        if !text.isEmpty {
            content.append(
                Label(text.inOneLine).inLines(atMost: 2).centred().classed("title-2").margin(12))
        }
        content.classed("bright")
        window.classed("bright")
        window.setContent(content)
        unsafe gtk_window_set_transient_for(window.cast(), parent.cast())
        unsafe gtk_window_set_modal(window.cast(), 1)
        for key in ["Escape", "F9", "space", "Return", "<Control>q", "<Control>w"] {
            window.addShortcut(key) { [weak window] in window?.close() != nil }
        }
        drawing.onClick { [weak window] in window?.close() }
        // Widgets must not change visibility during layout.
        drawing.on("resize") { onMain { [weak self] in self?.check() } }
        window.onClose { [weak self] in self.map { $0.application.forget($0) } }
    }

    private func check() { problem.isVisible = BarcodePlan(symbol, in: drawing.room) == nil }

    func present() {
        let size = window.screenSize
        // For desktops without a window manager.
        window.setSize(width: size.width, height: size.height)
        unsafe gtk_window_fullscreen(window.cast())
        window.present()
    }
}

extension String {
    /// The beginning of the text, with line breaks replaced by spaces.
    var inOneLine: String {
        shortenedName.split(whereSeparator: \.isWhitespace).joined(separator: " ").escaped
    }
}
