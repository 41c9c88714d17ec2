/// What kind of file a face is drawn into.
package enum PictureKind: String, CaseIterable, Sendable {
    case png, svg, pdf
}
