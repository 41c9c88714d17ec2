import Bytes
import Confinement
import Glibc

// confinement-probe [--system] [--read PATH] [--write PATH] [--spool PATH] [--execute PATH]
//     [--sockets] [--properties] [--landlock VERSION] PROGRAM ...
//     drops all other rights and executes the program
// confinement-probe --system --dispatch
//     runs more Dispatch work than it has threads for, with the rights given before it
// confinement-probe --nothing
//     reads its standard input without any rights, then tries forbidden calls

var words = Array(CommandLine.arguments.dropFirst())
var rights = ProcessRights()
while let option = words.first, option.hasPrefix("--") {
    words.removeFirst()
    switch option {
    case "--system": rights.readable += SystemFiles.common([:])
    case "--read": rights.readable.append(Array(words.removeFirst().utf8))
    case "--write": rights.writable.append(Array(words.removeFirst().utf8))
    case "--spool": rights.spools.append(words.removeFirst())
    case "--execute": rights.executable.append(Array(words.removeFirst().utf8))
    case "--landlock": rights.newestLandlock = Int(words.removeFirst()) ?? 0
    case "--properties": rights.setsProperties = true
    case "--sockets": rights.allowsSockets = true
    case "--dispatch": exit(try dispatchUnderLoad(rights))
    case "--nothing": exit(try parseWithNothing())
    default: exit(64)
    }
}
_ = try rights.apply()
var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
unsafe execv(words[0], &arguments)
let code = errno
print("not started: \(code == EACCES ? "EACCES" : "\(code)")")
