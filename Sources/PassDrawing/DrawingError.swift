/// Why there is no picture.
package enum DrawingError: Error, Equatable, CustomStringConvertible {
    /// What cairo says.
    case cairo(String)

    package var description: String {
        switch self {
        case .cairo(let reason): "it cannot be drawn: \(reason)"
        }
    }
}
