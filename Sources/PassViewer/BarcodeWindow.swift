internal import Barcodes
internal import CGTK
internal import Localization
internal import PassCommands
internal import PassModel

/// A barcode alone, black on white, as large as the screen: bright enough for a scanner.
@MainActor
final class BarcodeWindow {
    private let window: Window
    private let application: Application

    /// Nil for a pass without a barcode that can be drawn.
    init?(_ application: Application, _ pass: Pass, _ reader: Reader, above parent: Window) {
        let barcodes = pass.localized(for: reader.languages).barcodes
        guard let shown = ShownBarcode(of: barcodes), let symbol = try? shown.symbol.get() else {
            return nil
        }
        self.application = application
        window = unsafe Window(application.pointer, title: localized("Barcode"))
        let drawing = unsafe Drawing { context, room in
            unsafe BarcodePlan(symbol, width: room.width, height: room.height).draw(on: context)
        }
        drawing.setSpokenText(localized("Barcode"))
        drawing.expanding(horizontally: true, vertically: true)
        let content = Box(GTK_ORIENTATION_VERTICAL, spacing: 12, [drawing])
        if !shown.text.isEmpty {
            content.append(Label(shown.text).centred().classed("title-2").margin(12))
        }
        content.classed("bright")
        window.classed("bright")
        window.setContent(content)
        unsafe gtk_window_set_transient_for(window.cast(), parent.cast())
        unsafe gtk_window_set_modal(window.cast(), 1)
        for key in ["Escape", "F9", "space", "Return"] {
            window.addShortcut(key) { [weak window] in window?.close() != nil }
        }
        drawing.onClick { [weak window] in window?.close() }
        window.onClose { [weak self] in self.map { $0.application.forget($0) } }
    }

    func present() {
        let size = window.screenSize
        // For who has no window manager that would do it.
        window.setSize(width: size.width, height: size.height)
        unsafe gtk_window_fullscreen(window.cast())
        window.present()
    }
}

/// Where the modules of a barcode stand in a room, each as many whole pixels wide as the others.
struct BarcodePlan {
    private let symbol: BarcodeSymbol
    private let module: Double
    private let rowHeight: Double
    private let x: Double
    private let y: Double

    init(_ symbol: BarcodeSymbol, width: Double, height: Double) {
        self.symbol = symbol
        let quiet = 2 * symbol.quietZone
        let columns = Double(symbol.columns + quiet)
        let rows = Double(symbol.rows * symbol.rowHeight + quiet)
        // Lines may be cut short; what is smaller than a pixel nobody reads anyway.
        let fitting = symbol.isLinear ? width / columns : min(width / columns, height / rows)
        module = max(fitting.rounded(.down), 1)
        let own = module * Double(symbol.rowHeight)
        rowHeight = symbol.isLinear ? min(own, (height * 0.8).rounded(.down)) : own
        x = ((width - module * Double(symbol.columns)) / 2).rounded(.down)
        y = ((height - rowHeight * Double(symbol.rows)) / 2).rounded(.down)
    }

    /// - Parameter context: A `cairo_t`.
    @unsafe func draw(on context: OpaquePointer) {
        unsafe cairo_set_source_rgb(context, 1, 1, 1)
        unsafe cairo_paint(context)
        unsafe cairo_set_source_rgb(context, 0, 0, 0)
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
        for row in 0..<symbol.rows {
            for column in 0..<symbol.columns where symbol.isDark(column: column, row: row) {
                unsafe cairo_rectangle(
                    context, x + module * Double(column), y + rowHeight * Double(row), module,
                    rowHeight)
            }
        }
        unsafe cairo_fill(context)
    }
}
