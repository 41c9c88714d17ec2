import Foundation

extension Program {
    /// Runs the program on a terminal, answers each question with a line of `text`, and returns
    /// everything written to the terminal. `ahead` is typed immediately. Before the first answer,
    /// the shell runs `meanwhile`.
    func onTerminal(
        _ arguments: [String], typing text: String = "", ahead: String? = nil,
        meanwhile: String? = nil, columns: Int = 100, standardInput: String? = nil
    ) throws -> Result {
        var program = self
        program.environment["TYPED"] = text
        program.environment["TERM"] = "xterm"
        program.environment["STDIN"] = standardInput
        program.environment["AHEAD"] = ahead
        program.environment["MEANWHILE"] = meanwhile
        program.environment["WIDTH"] = String(columns)
        return try program.execute(
            "/usr/bin/env", ["python3", "-c", Self.terminal, path] + arguments, input: Data())
    }

    /// A terminal in Python. Types the next line of TYPED at each question, and reports if the
    /// program leaves the terminal in another state.
    static let terminal = #"""
        import fcntl, os, pty, re, struct, subprocess, sys, termios
        pid, terminal = pty.fork()
        if pid == 0:
            size = struct.pack("HHHH", 25, int(os.environ.get("WIDTH", "100")), 0, 0)
            fcntl.ioctl(1, termios.TIOCSWINSZ, size)
            if "STDIN" in os.environ:
                os.dup2(os.open(os.environ["STDIN"], os.O_RDONLY), 0)
            os.execv(sys.argv[1], sys.argv[1:])
        before = termios.tcgetattr(terminal)
        os.write(terminal, os.environ.get("AHEAD", "").encode())
        answers = os.environ["TYPED"].encode().splitlines(keepends=True)
        prompt = re.compile(rb"\[[^]]*/[^]]*\] $|Enter to cancel: $|this window\. $")
        all = b""
        while True:
            if answers and prompt.search(all):
                if "MEANWHILE" in os.environ:
                    subprocess.run(["/bin/sh", "-c", os.environ.pop("MEANWHILE")], check=True)
                os.write(terminal, answers.pop(0))
                all = b""
            try:
                seen = os.read(terminal, 65536)
            except OSError:
                break
            if not seen:
                break
            all += seen
            os.write(1, seen)
        if termios.tcgetattr(terminal) != before:
            os.write(1, b"the terminal is in another state\n")
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        sys.exit(code if code >= 0 else 128 - code)
        """#
}
