package import Localization

extension Sentence {
    /// Reasons why something cannot be read or written.
    package static let reading: [Sentence] = [
        Sentence("the stored file is no pass"),
        Sentence("cannot open: {reason}"),
        Sentence("cannot read: {reason}"),
        Sentence("cannot write: {reason}"),
        Sentence("cannot copy: {reason}"),
        Sentence("no such file or directory"),
        Sentence("permission denied"),
        Sentence("operation not permitted"),
        Sentence("is a directory"),
        Sentence("not a directory"),
        Sentence("file exists"),
        Sentence("file too large"),
        Sentence("no space left on device"),
        Sentence("disk quota exceeded"),
        Sentence("read-only file system"),
        Sentence("input/output error"),
        Sentence("invalid argument"),
        Sentence("too many open files"),
        Sentence("cannot allocate memory"),
        Sentence("not a certificate in PEM or DER"),
        Sentence("there is no certificate in it"),
        Sentence("no certificate is known as '{name}'"),
        Sentence("'{name}' stands for more than one certificate: {text}"),
        Sentence("{name} holds other certificates too: remove it by its name"),
    ]
}
