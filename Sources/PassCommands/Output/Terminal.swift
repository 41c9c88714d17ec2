internal import Glibc

/// What a stream of the program leads to.
package struct Terminal: Sendable {
    /// A terminal, as opposed to a file or a pipe.
    package var isTerminal: Bool
    package var hasColours: Bool
    /// In columns.
    package var width: Int

    package init(isTerminal: Bool, hasColours: Bool, width: Int = 80) {
        self.isTerminal = isTerminal
        self.hasColours = hasColours
        self.width = width
    }

    /// The stream behind a descriptor. Colours are for terminals that know them, whose owner has
    /// not asked for none (https://no-color.org).
    package init(descriptor: CInt, _ environment: Environment) {
        isTerminal = isatty(descriptor) == 1
        hasColours =
            isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
        var size = winsize()
        let answered = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        width = answered && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    package func paint(_ text: String, _ colour: Colour) -> String {
        hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// The numbers are those of ECMA-48, 8.3.117 (SGR).
package enum Colour: Int, Sendable {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
}
