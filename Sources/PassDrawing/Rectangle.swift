/// A rectangle in points, from the top left corner of the face.
struct Rectangle: Sendable, Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var maximumX: Double { x + width }
    var maximumY: Double { y + height }
    var middleX: Double { x + width / 2 }
    var middleY: Double { y + height / 2 }

    /// The largest centred rectangle with the aspect ratio of `size` that fits into this one, but
    /// not larger than `size`.
    func fitting(_ size: FaceSize) -> Rectangle {
        let scale = min(1, min(width / size.width, height / size.height))
        let (fittedWidth, fittedHeight) = (size.width * scale, size.height * scale)
        return Rectangle(
            x: middleX - fittedWidth / 2, y: middleY - fittedHeight / 2, width: fittedWidth,
            height: fittedHeight)
    }

    /// The smallest centred rectangle with the aspect ratio of `size` that covers this one.
    func covering(_ size: FaceSize) -> Rectangle {
        let scale = max(width / size.width, height / size.height)
        let (covered, height) = (size.width * scale, size.height * scale)
        return Rectangle(
            x: middleX - covered / 2, y: middleY - height / 2, width: covered, height: height)
    }

    /// The mirrored rectangle for a right-to-left face.
    func mirrored(in width: Double) -> Rectangle {
        Rectangle(x: width - maximumX, y: y, width: self.width, height: height)
    }
}
