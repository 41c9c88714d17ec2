internal import Confinement
internal import PassPresentation

/// The sandbox features that this kernel offers, for `--version --verbose`.
func protectionLines(_ protections: Protections) -> [String] {
    let landlock = "Landlock \(protections.landlock)"
    let seccomp = protections.filtersCalls ? "seccomp" : nil
    let files = protections.confinesTruncation ? landlock : "\(landlock), except that they are cut"
    let rows: [(String, [String?])] = [
        ("new privileges", [protections.forbidsNewPrivileges ? "no-new-privs" : nil]),
        ("other files", [protections.confinesFiles ? files : nil]),
        ("programs", [seccomp, protections.confinesFiles ? landlock : nil]),
        ("the network", [seccomp, protections.confinesTCP ? landlock : nil]),
        ("other processes", [seccomp, protections.confinesSignals ? landlock : nil]),
    ]
    return ["While it reads what others wrote, it is kept from"]
        + rows.map { what, means in
            let means = means.compactMap(\.self)
            let answer = means.isEmpty ? "nothing, on this kernel" : means.joined(separator: ", ")
            return "  \(padded(what, to: 16))by \(answer)"
        }
}
