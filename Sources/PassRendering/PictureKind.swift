/// The output format of a drawing.
package enum PictureKind: String, CaseIterable, Sendable {
    case png, svg, pdf
}
