internal import CGTK
internal import Localization
internal import PassCommands
internal import PassDrawing
internal import PassModel

/// A pass that can be turned over, and whose barcode can be held to a scanner.
@MainActor
final class PassSides {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private let sides = Stack()
    private let front: FaceView
    private let back: BackView
    private let turning = Button(localized("_Back of the pass"))
    private var isTurned = false

    init(
        _ pass: Pass, _ face: PassFace, _ reader: Reader,
        showBarcode: @escaping @MainActor @Sendable () -> Void
    ) {
        front = FaceView(face, onClick: showBarcode)
        back = BackView(pass, reader)
        sides.add(front.drawing)
        sides.add(back.widget)
        sides.show(front.drawing)
        widget.append(sides)
        let buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [turning])
        buttons.aligned(horizontally: GTK_ALIGN_CENTER)
        if !pass.barcodes.isEmpty {
            let barcode = Button(localized("_Scan"))
            barcode.tooltip = localized("Shows the barcode alone, large and bright (F9)")
            barcode.on("clicked", showBarcode)
            buttons.append(barcode)
        }
        widget.append(buttons)
        turning.on("clicked") { [weak self] in self?.turn() }
    }

    /// What can be dragged elsewhere.
    var face: Widget { front.drawing }

    func turn() {
        isTurned.toggle()
        sides.show(isTurned ? back.widget : front.drawing)
        turning.title = isTurned ? localized("_Front of the pass") : localized("_Back of the pass")
    }

    /// - Parameter width: How much there is, in points.
    func fit(width: Double) { front.fit(width: width) }
}
