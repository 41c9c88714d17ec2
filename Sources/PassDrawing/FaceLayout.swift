import Barcodes
import Foundation
import PassModel

/// Lays out the front of a pass from top to bottom.
struct FaceLayout {
    /// The width of a card on an iPhone, and of strip images, in points.
    static let width = 375.0
    static let margin = 14.0

    let pass: LocalizedPass
    let style: PassStyle
    let options: FaceOptions
    let pictures: FacePictures
    let palette: Palette
    let barcode: ShownBarcode?
    /// Whether the user's language is right-to-left, in which case Wallet mirrors the whole card.
    let isRightToLeft: Bool
    private(set) var elements: [Element] = []
    /// The bottom of the area used so far.
    var bottom: Double
    var notchesAt = 0.0

    static let innerWidth = width - 2 * margin
    var innerWidth: Double { FaceLayout.innerWidth }

    init(_ pass: LocalizedPass, _ pictures: FacePictures, for options: FaceOptions) {
        self.pass = pass
        self.options = options
        style = pass.pass.style ?? .generic
        self.pictures = pictures
        palette = Palette(
            pass.pass, isOnPicture: pictures.background != nil,
            hasLightLogo: pictures.logo?.picture.isLight ?? false)
        barcode = ShownBarcode(of: pass.barcodes)
        isRightToLeft =
            options.languages.first.map {
                Locale.Language(identifier: $0).characterDirection == .rightToLeft
            } ?? false
        // Start below the cut-out.
        bottom = style == .eventTicket ? 20 : 12
    }

    mutating func add(_ element: Element) {
        elements.append(element)
    }

    mutating func mirror() {
        elements = elements.map { $0.mirrored(in: FaceLayout.width) }
    }

    /// Adds the fields in rows, as many in each as fit.
    mutating func addRows(
        _ fields: [FieldText], of row: FieldRow = FieldRow(), width: Double? = nil
    ) {
        let width = width ?? innerWidth
        var rest = fields.filter { !$0.isEmpty }[...]
        while !rest.isEmpty {
            let count = row.count(of: rest, in: width)
            let area = Rectangle(x: FaceLayout.margin, y: bottom, width: width, height: row.height)
            let lines = row.lines(
                of: rest.prefix(count), in: area, palette: palette, isRightToLeft: isRightToLeft)
            for line in lines { add(.text(line)) }
            rest = rest.dropFirst(count)
            bottom += row.height + 9
        }
    }

    func texts(_ fields: [Field], _ limit: Int) -> [FieldText] {
        fields.prefix(limit).map { FieldText($0, for: options) }
    }
}
