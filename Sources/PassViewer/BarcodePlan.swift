internal import Barcodes
internal import CGTK

/// Lays out the modules of a barcode on whole pixels, all equally wide.
struct BarcodePlan {
    private let symbol: BarcodeSymbol
    /// Whether the barcode is rotated by 90 degrees because larger modules fit that way.
    private let isTurned: Bool
    /// In pixels, like all lengths here.
    private let module: Double
    private let rowHeight: Double
    private let x: Double
    private let y: Double
    private let scaleFactor: Double

    /// Nil if a module would be narrower than one pixel, which no scanner reads.
    ///
    /// - Parameter widest: The maximum width of the symbol in millimetres, if modules of one pixel
    ///   allow it.
    init?(_ symbol: BarcodeSymbol, in room: Drawing.Room, widest: Double) {
        self.symbol = symbol
        scaleFactor = room.scaleFactor
        let screen = (room.width * scaleFactor, room.height * scaleFactor)
        let upright = BarcodePlan.module(of: symbol, screen.0, screen.1)
        let turned = BarcodePlan.module(of: symbol, screen.1, screen.0)
        let most = max(
            1,
            (widest * room.pointsPerMillimetre * scaleFactor / Double(symbol.columns))
                .rounded(.down))
        isTurned = turned > upright && upright < most
        module = min(isTurned ? turned : upright, most)
        guard module >= 1 else { return nil }
        let (width, height) = isTurned ? (screen.1, screen.0) : screen
        let own = module * Double(symbol.rowHeight)
        rowHeight = symbol.isLinear ? min(own, (height * 0.8).rounded(.down)) : own
        x = ((width - module * Double(symbol.columns)) / 2).rounded(.down)
        y = ((height - rowHeight * Double(symbol.rows)) / 2).rounded(.down)
    }

    /// Width of a module in whole pixels. Bars may be shortened; the quiet zone may not.
    private static func module(
        of symbol: BarcodeSymbol, _ width: Double, _ height: Double
    ) -> Double {
        let quiet = 2 * symbol.quietZone
        let across = width / Double(symbol.columns + quiet)
        if symbol.isLinear { return across.rounded(.down) }
        return min(across, height / Double(symbol.height + quiet)).rounded(.down)
    }

    /// - Parameter context: A `cairo_t`, whose units are points.
    @unsafe func draw(on context: OpaquePointer) {
        unsafe cairo_set_source_rgb(context, 0, 0, 0)
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
        unsafe cairo_scale(context, 1 / scaleFactor, 1 / scaleFactor)
        for row in 0..<symbol.rows {
            for column in 0..<symbol.columns where symbol.isDark(column: column, row: row) {
                let (left, top) = (x + module * Double(column), y + rowHeight * Double(row))
                if isTurned {
                    unsafe cairo_rectangle(context, top, left, rowHeight, module)
                } else {
                    unsafe cairo_rectangle(context, left, top, module, rowHeight)
                }
            }
        }
        unsafe cairo_fill(context)
    }
}
