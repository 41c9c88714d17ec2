internal import CGTK
internal import PassDrawing

/// The front of a pass.
@MainActor
final class FaceView {
    let drawing: Drawing
    private let size: FaceSize

    /// In points. Faces are shown at their natural size if there is room.
    static let margin = 12.0

    init(_ face: PassFace, onClick: @escaping @MainActor @Sendable () -> Void) {
        size = face.size
        drawing = unsafe Drawing { context, room in
            let (width, height) = (room.width, room.height)
            let scale = min(width / face.size.width, height / face.size.height, 1)
            unsafe cairo_translate(
                context, ((width - face.size.width * scale) / 2).rounded(),
                ((height - face.size.height * scale) / 2).rounded())
            unsafe cairo_scale(context, scale, scale)
            face.draw(on: unsafe Canvas(context, deviceScale: room.scaleFactor))
        }
        drawing.setSpokenText(face.spokenText)
        drawing.aligned(horizontally: GTK_ALIGN_CENTER, vertically: GTK_ALIGN_START)
        drawing.onClick(onClick)
        fit(width: .infinity)
    }

    /// - Parameter width: The available width, in points.
    func fit(width: Double) {
        let scale = min(1, max(200, width - 2 * FaceView.margin) / size.width)
        drawing.setContentSize(width: size.width * scale, height: size.height * scale)
    }
}
