/// What the program says to the mail system when it ends, as sysexits.h has it.
///
/// | code | means |
/// |---|---|
/// | 0 | done, whatever the message and the passes in it are worth |
/// | 64 | the command line makes no sense |
/// | 75 | not now, for a reason that lies in the system: the mail system is to try again |
enum Sysexit: Int32, Sendable {
    case done = 0
    case usage = 64
    case tryAgain = 75
}
