import Bytes
import Confinement
import Glibc
import Platform

/// Starts a child that counts the distinct words of the standard input, and tries forbidden calls.
func parseWithNothing() throws -> CInt {
    let parent = getpid()
    let start = ContinuousClock.now
    let child = try forked {
        let forking = ContinuousClock.now
        guard (try? ProcessRights.nothing.apply()) != nil else { return 1 }
        let confined = ContinuousClock.now
        let input = FileDescriptor(STDIN_FILENO)
        let text = (try? ByteSource(stream: input, prefix: []).prefix(1 << 24)) ?? []
        say("words", "\(Set(text.split(separator: 0x20)).count)")
        say("open", attempt(unsafe open("/dev/null", O_RDONLY)))
        say("create", attempt(unsafe open("created", O_WRONLY | O_CREAT, 0o600)))
        say("unlink", attempt(unsafe unlink("input")))
        say("stat", attempt(unsafe access("input", F_OK)))
        say("socket", attempt(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)))
        say("signal", attempt(kill(parent, 0)))
        say("fork", attempt((try? forked { 0 }) == nil ? -1 : 0))
        let code = PROT_READ | PROT_EXEC
        let memory = unsafe mmap(nil, 4096, code, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        say("code", unsafe memory == MAP_FAILED ? attempt(-1) : "done")
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
        say("program", attempt(unsafe execv("/bin/true", &arguments)))
        say("microseconds", "\((confined - forking) / .microseconds(1))")
        return 0
    }
    let status = child.wait()
    say("microseconds in all", "\((ContinuousClock.now - start) / .microseconds(1))")
    return status?.code ?? -1
}

private func attempt(_ answer: CInt) -> String {
    guard answer < 0 else { return "done" }
    return errno == EPERM ? "EPERM" : "\(errno)"
}

private func say(_ what: String, _ answer: String) {
    try? FileDescriptor(STDOUT_FILENO).writeAll(Array("\(what) \(answer)\n".utf8).span)
}
