import PassModel

/// A drawing element of a face, with its position.
enum Element: Sendable {
    case fill(Outline, Ink)
    case picture(Picture, Rectangle)
    /// The part of the picture within the outline.
    case crop(Picture, Rectangle, within: Outline)
    case text(TextLine)
    case symbol(TransitType, Rectangle, Ink, isMirrored: Bool)
    case barcode(BarcodePanel, Rectangle)

    func draw(on canvas: Canvas) {
        switch self {
        case .fill(let outline, let ink): canvas.fill(outline, with: ink)
        case .picture(let picture, let area): canvas.draw(picture, in: area)
        case .crop(let picture, let area, let outline):
            canvas.saving {
                canvas.clip(to: outline)
                canvas.draw(picture, in: area)
            }
        case .text(let line): canvas.draw(line)
        case .symbol(let type, let area, let ink, let isMirrored):
            canvas.saving {
                canvas.translate(x: isMirrored ? area.maximumX : area.x, y: area.y)
                let scale = area.width / 24
                canvas.scale(x: isMirrored ? -scale : scale, y: scale)
                canvas.fill(TransitSymbol.outline(of: type), with: ink)
            }
        case .barcode(let panel, let area): panel.draw(on: canvas, x: area.x, y: area.y)
        }
    }

    /// The element mirrored for a right-to-left face. Barcodes and pictures are moved, not flipped.
    func mirrored(in width: Double) -> Element {
        switch self {
        case .fill: return self
        case .picture(let picture, let area): return .picture(picture, area.mirrored(in: width))
        case .crop(let picture, let area, within: let outline):
            return .crop(
                picture, area.mirrored(in: width), within: outline.mirrored(in: width))
        case .text(var line):
            line.x = width - line.x - line.width
            return .text(line)
        case .symbol(let type, let area, let ink, _):
            return .symbol(type, area.mirrored(in: width), ink, isMirrored: true)
        case .barcode(let panel, let area): return .barcode(panel, area.mirrored(in: width))
        }
    }
}
