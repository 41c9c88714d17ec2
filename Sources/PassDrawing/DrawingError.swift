/// Why there is no picture.
package enum DrawingError: Error, Equatable, CustomStringConvertible {
    /// There is nothing to write with: all letters would be empty boxes.
    case noFont
    /// More than one picture can be.
    case tooLarge
    /// What cairo says.
    case cairo(String)

    package var description: String {
        switch self {
        case .noFont: "there is no font on this computer"
        case .tooLarge: "the cards have no room in one picture"
        case .cairo(let reason): "it cannot be drawn: \(reason)"
        }
    }
}
