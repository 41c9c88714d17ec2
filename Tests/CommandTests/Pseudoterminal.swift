import Foundation

extension Program {
    /// Runs the program on a terminal of 100 columns, where a person types `text`, and gives back
    /// all that the terminal saw.
    func onTerminal(
        _ arguments: [String], typing text: String = "", standardInput: String? = nil
    ) throws -> Result {
        var program = self
        program.environment["TYPED"] = text
        program.environment["TERM"] = "xterm"
        program.environment["STDIN"] = standardInput
        return try program.execute(
            "/usr/bin/env", ["python3", "-c", script, path] + arguments, input: Data())
    }
}

private let script = #"""
    import fcntl, os, pty, struct, sys, termios
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 100, 0, 0))
        if "STDIN" in os.environ:
            os.dup2(os.open(os.environ["STDIN"], os.O_RDONLY), 0)
        os.execv(sys.argv[1], sys.argv[1:])
    os.write(terminal, os.environ["TYPED"].encode())
    while True:
        try:
            seen = os.read(terminal, 65536)
        except OSError:
            break
        if not seen:
            break
        os.write(1, seen)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """#
