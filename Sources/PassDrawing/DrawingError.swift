/// Why a picture could not be drawn.
package enum DrawingError: Error, Equatable, CustomStringConvertible {
    /// No font is installed: all letters would be empty boxes.
    case noFont
    /// The cards exceed the maximum size of a picture.
    case tooLarge
    /// The error message of cairo.
    case cairo(String)

    package var description: String {
        switch self {
        case .noFont: "there is no font on this computer"
        case .tooLarge: "the cards have no room in one picture"
        case .cairo(let reason): "it cannot be drawn: \(reason)"
        }
    }
}
