internal import Barcodes
internal import CGTK
internal import Localization
internal import PassDrawing
internal import PassModel
internal import PassPresentation

/// Shows the front or the back of a pass, and its buttons.
@MainActor
final class PassSides {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private let sides = Stack()
    private let front: FaceView
    private let makeBack: () -> Widget
    /// Nil until the user turns the pass, since laying out a long back takes time.
    private var back: Widget?
    private let turning = Button(localized("_Back of the pass"))
    private(set) var isTurned = false

    /// - Parameter settings: Shown above the back.
    init(
        _ pass: Pass, _ face: PassFace, _ displayLocale: DisplayLocale, settings: Widget? = nil,
        showBarcode: @escaping @MainActor @Sendable () -> Void
    ) {
        front = FaceView(face, onClick: showBarcode)
        makeBack = {
            let back = BackView(pass, displayLocale).widget
            guard let settings else { return back }
            return Box(GTK_ORIENTATION_VERTICAL, spacing: 12, [settings, back])
        }
        sides.add(front.drawing)
        sides.show(front.drawing)
        widget.append(sides)
        let buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [turning])
        buttons.aligned(horizontally: GTK_ALIGN_CENTER)
        if let barcode = ShownBarcode(of: pass.localized(for: displayLocale.languages).barcodes) {
            switch barcode.symbol {
            case .success:
                let show = Button(localized("_Show Barcode"))
                show.tooltip = localized("Shows the barcode alone, large and bright (F9)")
                show.on("clicked", showBarcode)
                buttons.append(show)
            case .failure:
                // The text can still be typed in by hand.
                let text = localized(
                    "The barcode cannot be drawn: {text}", ["text": barcode.text.inOneLine])
                widget.append(Label(text, isSelectable: true).centred())
            }
        } else if pass.nfc != nil {
            let text = localized(
                "Readers take this pass by NFC, which a computer cannot send. Use a phone.")
            widget.append(Label(text).centred())
        }
        widget.append(buttons)
        turning.on("clicked") { [weak self] in self?.turn() }
    }

    /// The widget that can be dragged to other programs.
    var face: Widget { front.drawing }

    func turn() {
        isTurned.toggle()
        sides.show(isTurned ? shownBack : front.drawing)
        turning.title = isTurned ? localized("_Front of the pass") : localized("_Back of the pass")
    }

    private var shownBack: Widget {
        if let back { return back }
        let made = makeBack()
        back = made
        sides.add(made)
        return made
    }

    /// - Parameter width: The available width, in points.
    func fit(width: Double) { front.fit(width: width) }
}
