/// Why a picture could not be drawn.
package enum DrawingError: Error, Equatable {
    /// No font is installed: all letters would be empty boxes.
    case noFont
    /// The cards exceed the maximum size of a picture.
    case tooLarge
    /// The error message of cairo.
    case cairo(String)
}
