internal import Barcodes
internal import PassModel
internal import PassPresentation

/// The front of a pass on a terminal, laid out as in Wallet, with a scannable barcode.
struct TerminalCard {
    let lines: [String]
    /// Fields that are not shown in full.
    let leftOut: [Field]

    /// In columns. Narrower terminals show no card.
    static let leastWidth = 30
    private static let usualWidth = 60

    init(_ localized: LocalizedPass, for displayLocale: DisplayLocale, on terminal: Terminal) {
        let code = ShownBarcode(of: localized.barcodes).map { CardCode($0, on: terminal) }
        let width = min(terminal.width, max(TerminalCard.usualWidth, (code?.width ?? 0) + 4))
        let frame = CardFrame(
            terminal: terminal, colours: CardColours(localized.pass, on: terminal), width: width)
        var front = CardFront(localized, for: displayLocale, room: frame.room)
        let sections = front.sections()
        lines = frame.around(sections + [code?.lines(in: frame) ?? []])
        leftOut = front.leftOut
    }
}
