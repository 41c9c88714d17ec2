internal import PassSession

/// How many colours a terminal knows.
package enum ColourDepth: Sendable {
    case none
    /// Those of ECMA-48, whose shades are the terminal's own.
    case eight
    /// The 256 of xterm.
    case indexed
    /// Any.
    case direct

    /// What the terminal says of itself.
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
