internal import Glibc
import Platform

extension FileError: Worded {
    package var phrase: Phrase {
        let reason = ["reason": Phrase.Value.phrase(reasonPhrase)]
        return switch operation {
        case .open: Phrase("cannot open: {reason}", reason)
        case .read: Phrase("cannot read: {reason}", reason)
        case .write: Phrase("cannot write: {reason}", reason)
        case .create: Phrase("cannot create: {reason}", reason)
        case .copy: Phrase("cannot copy: {reason}", reason)
        case .rename: Phrase("cannot rename: {reason}", reason)
        case .remove: Phrase("cannot remove: {reason}", reason)
        case .empty: Phrase("cannot empty: {reason}", reason)
        case .lock: Phrase("cannot lock: {reason}", reason)
        case .sync: Phrase("cannot sync: {reason}", reason)
        case .watch: Phrase("cannot watch: {reason}", reason)
        case .examine: Phrase("cannot examine: {reason}", reason)
        case .makeFolder: Phrase("cannot create a folder: {reason}", reason)
        case .makeTemporaryFile: Phrase("cannot create a temporary file: {reason}", reason)
        case .makePipe: Phrase("cannot make a pipe: {reason}", reason)
        case .makeFolderAt(let path):
            Phrase("cannot create the folder {place}: {reason}", named("place", path))
        case .makeFolderIn(let path):
            Phrase("cannot create a folder in {place}: {reason}", named("place", path))
        case .start(let program): Phrase("cannot start {place}: {reason}", named("place", program))
        case .startProcess: Phrase("cannot start a process: {reason}", reason)
        case .startThread: Phrase("cannot start a thread: {reason}", reason)
        case .makeRules: Phrase("cannot make Landlock rules: {reason}", reason)
        case .addRule: Phrase("cannot add a Landlock rule: {reason}", reason)
        case .applyRules: Phrase("cannot apply Landlock rules: {reason}", reason)
        case .filterSystemCalls: Phrase("cannot filter system calls: {reason}", reason)
        }
    }

    private func named(_ name: String, _ value: String) -> [String: Phrase.Value] {
        [name: .text(value), "reason": .phrase(reasonPhrase)]
    }

    /// The system's message alone. Frequent messages are translated, others are in the system's
    /// words.
    package var reasonPhrase: Phrase {
        switch code {
        case ENOENT: Phrase("no such file or directory")
        case EACCES: Phrase("permission denied")
        case EPERM: Phrase("operation not permitted")
        case EISDIR: Phrase("is a directory")
        case ENOTDIR: Phrase("not a directory")
        case EEXIST: Phrase("file exists")
        case EFBIG: Phrase("file too large")
        case ENOSPC: Phrase("no space left on device")
        case EDQUOT: Phrase("disk quota exceeded")
        case EROFS: Phrase("read-only file system")
        case EIO: Phrase("input/output error")
        case EINVAL: Phrase("invalid argument")
        case EMFILE: Phrase("too many open files")
        case ENOMEM: Phrase("cannot allocate memory")
        default: .verbatim(reason)
        }
    }
}
