internal import PassSession

/// The number of colours that a terminal supports.
package enum ColourDepth: Sendable {
    case none
    /// The eight colours of ECMA-48, whose shades depend on the terminal.
    case eight
    /// The 256 colours of xterm.
    case indexed
    /// 24-bit colour.
    case direct

    /// Reads the terminal's variables, such as TERM.
    init(_ environment: Environment) {
        let name = environment["TERM"] ?? ""
        self =
            switch environment["COLORTERM"] {
            case _ where environment["NO_COLOR"] != nil || name == "dumb": .none
            case "truecolor", "24bit": .direct
            case _ where name.hasSuffix("-direct"): .direct
            case _ where name.contains("256color"): .indexed
            default: .eight
            }
    }
}
