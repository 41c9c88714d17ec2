internal import Barcodes
internal import Localization
internal import PassModel
internal import PassPresentation

/// The barcode of a card with its text, or the reason why it is not drawn.
struct CardCode {
    let barcode: Barcode
    let terminal: Terminal
    private let drawing: Result<BlockSymbol, BarcodeError>

    init(_ shown: ShownBarcode, on terminal: Terminal) {
        barcode = shown.barcode
        self.terminal = terminal
        drawing = shown.symbol.map { BlockSymbol(symbol: $0) }
    }

    /// In terminal columns; nil if it is not drawn.
    var width: Int? { try? drawing.get().width }

    func lines(in frame: CardFrame) -> [CardLine] {
        let kind = barcodeInWords(barcode.format)
        switch drawing {
        case .failure(let error): return said("\(kind): \(error.phrase.localized)", in: frame)
        case .success(let block) where block.width > frame.roomForCode:
            let reason = localized(
                "needs a terminal {number} columns wide", ["number": "\(block.width + 2)"])
            return said("\(kind): \(reason)", in: frame)
        case .success(let block):
            // Most terminals are dark, and most scanners need dark modules on light.
            let lightIsInk = terminal.colours == .none && !terminal.isLight
            let code = block.lines(lightIsInk: lightIsInk).map { CardLine($0, .code) }
            let text = barcode.altText.map { fitted($0, width: frame.room, lines: 2).lines } ?? []
            return code + text.map { CardLine($0, .value).centred(in: frame.room) }
        }
    }

    private func said(_ reason: String, in frame: CardFrame) -> [CardLine] {
        let message = fitted(barcode.message, width: frame.room, lines: 3).lines
        return fitted(reason, width: frame.room, lines: 3).lines.map { CardLine($0, .caption) }
            + message.map { CardLine($0, .value) }
    }
}
