/// The exit codes for the mail system, as in sysexits.h.
///
/// | code | meaning |
/// |---|---|
/// | 0 | done, whether or not the passes were accepted |
/// | 64 | invalid command line |
/// | 75 | temporary failure of this system: the mail system should try again |
enum Sysexit: Int32, Sendable {
    case done = 0
    case usage = 64
    case tryAgain = 75
}
