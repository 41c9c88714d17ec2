import Platform

/// The messages in the user's default spool of `passconduit-deliver`, whose passes are not in the
/// library yet.
package struct SpooledMail: Sendable {
    /// The folder of the messages that were given up.
    package let folderGivenUp: String
    /// The number of messages that the next run tries again.
    package let waiting: Int
    /// The number of messages that are not tried again.
    package let givenUp: Int

    /// Counts the messages. A spool that is missing or cannot be read counts as empty.
    package init(in environment: Environment) {
        let spool = environment.stateFolder + "/spool"
        folderGivenUp = spool + "/cur"
        waiting = messages(in: spool + "/new")
        givenUp = messages(in: folderGivenUp)
    }
}

private func messages(in folder: String) -> Int {
    ((try? FileDescriptor.names(in: folder)) ?? []).count { !$0.hasPrefix(".") }
}
