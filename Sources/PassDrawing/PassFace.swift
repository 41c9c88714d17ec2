package import Barcodes
package import PassModel

/// One side of a pass, laid out for display: the front as in Wallet, or the back.
package struct PassFace: Sendable {
    /// The size of the card.
    package let size: FaceSize
    /// The text for screen readers.
    package let spokenText: String
    /// Why text replaces the barcode; nil if the barcode is drawn, or the pass has none.
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

    /// The back, with the content that does not fit on the front.
    package init(backOf pass: Pass, for options: FaceOptions) {
        var layout = BackLayout(pass.localized(for: options.languages), for: options)
        layout.addFields()
        layout.addAddresses()
        layout.addUpcomingEntries()
        edge = layout.finish()
        size = edge.size
        background = .white
        backgroundPicture = nil
        elements = layout.elements
        spokenText = layout.spokenText
        barcodeError = nil
    }

    /// Draws the face at the canvas origin, one unit per point. Leaves everything outside the
    /// card's edge unchanged.
    package func draw(on canvas: Canvas) {
        let outline = edge.outline
        canvas.saving {
            canvas.clip(to: outline)
            canvas.fill(
                .rectangle(Rectangle(x: 0, y: 0, width: size.width, height: size.height)),
                with: background)
            if let (picture, area) = backgroundPicture {
                canvas.draw(picture, in: area)
                // Darken the picture, so that the fields are legible.
                canvas.fill(
                    .rectangle(Rectangle(x: 0, y: 0, width: size.width, height: size.height)),
                    with: Ink.black.faded(to: 0.25))
            }
            for element in elements { element.draw(on: canvas) }
            // Half of the stroke is outside the clip.
            canvas.stroke(outline, with: Ink.black.faded(to: 0.2), width: 1)
        }
    }
}
