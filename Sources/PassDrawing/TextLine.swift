/// A line of text at a position.
struct TextLine: Sendable, Hashable {
    enum Weight: Sendable, Hashable {
        case light, regular, semibold
    }

    enum Alignment: Sendable, Hashable {
        case left, center, right

        var mirrored: Alignment {
            switch self {
            case .left: .right
            case .center: .center
            case .right: .left
            }
        }
    }

    var text: ShownText
    /// The font size, in points.
    var size: Double
    var weight = Weight.regular
    var ink: Ink
    var alignment = Alignment.left
    /// Longer text is truncated with an ellipsis.
    var width: Double
    var x: Double
    var baseline: Double
}
