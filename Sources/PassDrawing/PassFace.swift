package import Barcodes
package import PassModel

/// A side of a pass, laid out for a person: its front as Wallet does it, or its back.
package struct PassFace: Sendable {
    /// Of the card, with the edge of its style.
    package let size: FaceSize
    /// What a screen reader says.
    package let spokenText: String
    /// Why there is text in place of the barcode; nil for a barcode that is drawn, and for none.
    package let barcodeError: BarcodeError?
    private let edge: CardEdge
    private let background: Ink
    private let backgroundPicture: (picture: Picture, area: Rectangle)?
    private let elements: [Element]

    /// The front.
    package init(_ pass: Pass, _ pictures: FacePictures, for options: FaceOptions) {
        let localized = pass.localized(for: options.languages)
        var layout = FaceLayout(localized, pictures, for: options)
        layout.addHeader()
        layout.addFields()
        edge = layout.finish()
        size = edge.size
        background = layout.palette.background
        elements = layout.elements
        let card = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        backgroundPicture = layout.pictures.background.map {
            ($0.picture, card.covering($0.size))
        }
        spokenText = SpokenText(layout).text
        barcodeError =
            if case .failure(let error) = layout.barcode?.symbol { error } else { nil }
    }

    /// The back: what there is no room for on the front.
    package init(backOf pass: Pass, for options: FaceOptions) {
        var layout = BackLayout(pass.localized(for: options.languages), for: options)
        layout.addFields()
        layout.addLinks()
        edge = layout.finish()
        size = edge.size
        background = .white
        backgroundPicture = nil
        elements = layout.elements
        spokenText = layout.spokenText
        barcodeError = nil
    }

    /// Draws it, from the origin of the canvas to the right and down, one unit for each point. What lies
    /// outside of the card's edge stays as it is.
    package func draw(on canvas: Canvas) {
        let outline = edge.outline
        canvas.saving {
            canvas.clip(to: outline)
            canvas.fill(
                .rectangle(Rectangle(x: 0, y: 0, width: size.width, height: size.height)),
                with: background)
            if let (picture, area) = backgroundPicture {
                canvas.draw(picture, in: area)
                // So that the fields are read on it.
                canvas.fill(
                    .rectangle(Rectangle(x: 0, y: 0, width: size.width, height: size.height)),
                    with: Ink.black.faded(to: 0.25))
            }
            for element in elements { element.draw(on: canvas) }
            // Half of its width lies outside.
            canvas.stroke(outline, with: Ink.black.faded(to: 0.2), width: 1)
        }
    }
}
