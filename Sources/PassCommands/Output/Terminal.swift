internal import Glibc
internal import PassPresentation
package import PassSession

/// The properties of an output stream.
package struct Terminal: Sendable {
    /// Whether it is a terminal, not a file or a pipe.
    package var isTerminal: Bool
    package var colours: ColourDepth
    /// In columns.
    package var width: Int
    /// Whether it shows symbols such as a check mark. The Linux console has no glyphs for them, and
    /// dumb terminals include those that speak.
    package var hasSymbols: Bool
    /// Whether the background is light, as COLORFGBG says; otherwise dark is assumed.
    package var isLight = false

    package var hasColours: Bool { colours != .none }

    package init(isTerminal: Bool, hasColours: Bool, width: Int = 80) {
        self.init(isTerminal: isTerminal, colours: hasColours ? .eight : .none, width: width)
    }

    package init(isTerminal: Bool, colours: ColourDepth, width: Int = 80) {
        self.isTerminal = isTerminal
        self.colours = colours
        hasSymbols = isTerminal
        self.width = width
    }

    /// The stream of a descriptor. Colours are used if the terminal supports them and NO_COLOR is
    /// unset (https://no-color.org).
    package init(descriptor: CInt, _ environment: Environment) {
        isTerminal = isatty(descriptor) == 1
        colours = isTerminal ? ColourDepth(environment) : .none
        let isPlain = ["dumb", "linux"].contains(environment["TERM"])
        hasSymbols = isTerminal && environment.isUTF8 && !isPlain
        var size = winsize()
        let answered = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        width = answered && size.ws_col > 0 ? Int(size.ws_col) : 80
        // `15;0` or `15;default;0`, set by rxvt, Konsole and others.
        let background = environment["COLORFGBG"]?.split(separator: ";").last
        isLight = background == "7" || background == "15"
    }

    package func paint(_ text: String, _ colour: Colour) -> String {
        hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// The values are those of ECMA-48, 8.3.117 (SGR).
package enum Colour: Int, Sendable {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
}

/// The line for an output: on a terminal, characters that `escaped` shows as escapes are escaped too.
func jsonLine(_ record: some Encodable, on terminal: Terminal) throws -> String {
    let line = try jsonLine(record)
    return terminal.isTerminal ? line.escapedInJSON : line
}
