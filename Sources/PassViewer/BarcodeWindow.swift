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
    /// In millimetres. Scanners at gates and tills are held 10 to 30 cm away, and cannot see a
    /// wider code as a whole.
    private static let widest = 70.0

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
            let plan = BarcodePlan(symbol, in: room, widest: BarcodeWindow.widest)
            unsafe plan?.draw(on: context)
        }
        layOut(barcode.text, BarcodeWindow.facts(about: pass, displayLocale), above: parent)
    }

    /// The name of the pass, and its seat and time.
    private static func facts(
        about pass: Pass, _ displayLocale: DisplayLocale
    ) -> [String] {
        let fields = pass.localized(for: displayLocale.languages).fields.front
        let seats = fields.filter(\.isSeat).map { field in
            [field.label ?? "", displayLocale.value(of: field)].filter { !$0.isEmpty }
                .joined(separator: " ")
        }
        let time = pass.relevantDate.map(displayLocale.shortMoment)
        let details = (seats.prefix(2) + [time].compactMap(\.self)).joined(separator: " \u{B7} ")
        return [displayLocale.headline(pass), details].map(\.inOneLine).filter { !$0.isEmpty }
    }

    private func layOut(_ text: String, _ facts: [String], above parent: Window) {
        drawing.setSpokenText(localized("Barcode"))
        drawing.expanding(horizontally: true, vertically: true)
        let words = Box(GTK_ORIENTATION_VERTICAL, spacing: 2).expanding(horizontally: true)
        for (index, fact) in facts.enumerated() {
            words.append(Label(fact).inLines(atMost: 2).classed(index == 0 ? "title-2" : "title-4"))
        }
        // A window in full screen has no title bar.
        let close = Button(localized("_Close")).aligned(vertically: GTK_ALIGN_START)
        close.on("clicked") { [weak window] in window?.close() }
        let header = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [words, close]).margin(12)
        let content = Box(
            GTK_ORIENTATION_VERTICAL, spacing: 12, [header, drawing, problem.margin(12)])
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

    private func check() {
        let plan = BarcodePlan(symbol, in: drawing.room, widest: BarcodeWindow.widest)
        problem.isVisible = plan == nil
    }

    func present() {
        let size = window.screenSize
        // For desktops without a window manager.
        window.setSize(width: size.width, height: size.height)
        unsafe gtk_window_fullscreen(window.cast())
        window.present()
    }
}

extension Field {
    /// Whether the issuer marked the field as a seat: with Apple's semantic tag, or by its key.
    fileprivate var isSeat: Bool {
        semantics["seats"] != nil || key.lowercased().utf8.contains("seat".utf8)
    }
}

extension String {
    /// The beginning of the text, with line breaks replaced by spaces.
    var inOneLine: String {
        shortenedName.split(whereSeparator: \.isWhitespace).joined(separator: " ").escaped
    }
}
