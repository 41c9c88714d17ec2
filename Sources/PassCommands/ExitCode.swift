internal import PassSession

/// ArgumentParser has a type of this name too.
typealias ExitCode = PassSession.ExitCode
