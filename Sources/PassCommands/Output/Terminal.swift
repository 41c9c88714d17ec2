internal import Glibc
package import PassSession

/// What a stream of the program leads to.
package struct Terminal: Sendable {
    /// A terminal, as opposed to a file or a pipe.
    package var isTerminal: Bool
    package var colours: ColourDepth
    /// In columns.
    package var width: Int
    /// Whether it writes dark on light, as far as it says so; without a word it is taken for a dark one.
    package var isLight = false

    package var hasColours: Bool { colours != .none }

    package init(isTerminal: Bool, hasColours: Bool, width: Int = 80) {
        self.init(isTerminal: isTerminal, colours: hasColours ? .eight : .none, width: width)
    }

    package init(isTerminal: Bool, colours: ColourDepth, width: Int = 80) {
        self.isTerminal = isTerminal
        self.colours = colours
        self.width = width
    }

    /// The stream behind a descriptor. Colours are for terminals that know them, whose owner has
    /// not asked for none (https://no-color.org).
    package init(descriptor: CInt, _ environment: Environment) {
        isTerminal = isatty(descriptor) == 1
        colours = isTerminal ? ColourDepth(environment) : .none
        var size = winsize()
        let answered = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        width = answered && size.ws_col > 0 ? Int(size.ws_col) : 80
        // `15;0`, or `15;default;0`, from rxvt, Konsole and others.
        let background = environment["COLORFGBG"]?.split(separator: ";").last
        isLight = background == "7" || background == "15"
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
