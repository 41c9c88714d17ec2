internal import Localization
internal import PassPresentation
internal import PassSession

/// Lines that count the messages waiting in the spool and those given up, each with the command
/// that tries them again. Those given up count until their files are removed.
func spoolLines(_ mail: SpooledMail) -> [String] {
    var lines: [String] = []
    if mail.waiting > 0 {
        let waiting = counted("{count} message waits", "{count} messages wait", mail.waiting)
        lines.append(
            localized(
                "{text} in the spool; to try again: {command}",
                ["text": waiting, "command": "passconduit-deliver --spool < /dev/null"]))
    }
    if mail.givenUp > 0 {
        let folder = quoted(mail.folderGivenUp)
        lines.append(
            counted(
                "{count} message given up is in the spool; to import and remove it: {command}",
                "{count} messages given up are in the spool; to import and remove them: {command}",
                mail.givenUp,
                [
                    "count": grouped(mail.givenUp),
                    "command": "passconduit import \(folder) && rm \(folder)/*",
                ]))
    }
    return lines
}
