/// The help text.
package enum DeliveryHelp {
    package static let text: StaticString = """
        OVERVIEW: Bring the Wallet passes in a message into the library: for the mail path.

        Reads one message from the standard input, as procmail and others hand it over. If \
        something in it may be a pass, `passconduit import` is run, from the folder of this \
        program or an absolute one in $PATH; trusted passes enter the library. What is wrong with \
        a message or a pass goes to the standard error, and is no reason to refuse the mail. \
        Nothing is fetched, whatever a mail links to.

        USAGE: passconduit-deliver [--tee] [--header] [--spool[=<folder>]] [--deadline <seconds>]
                                   [--library <folder>] [--trust-root <file> ...]

        EXAMPLES
          passconduit-deliver < message.eml

          :0cw                               # in ~/.procmailrc: each message comes in as before,
          | passconduit-deliver --spool      # and a copy is searched

          :0rfw                              # the same, and the header says what was found
          | passconduit-deliver --spool --header

        OPTIONS
          --tee                Print the message as it came, byte for byte, whatever becomes of its
                               passes.
          --header             As --tee, with a field for each pass at the top:
                                 X-Passconduit: added pass.com.example/123 trusted
                               What became of it is added, updated, older, unchanged or refused.
                               Such fields that came with the message are left out.
          --spool[=<folder>]   Where the library cannot take the passes now, keep the message in this
                               folder, a Maildir, and exit with 0; later runs bring it in (default:
                               passconduit/spool in your state folder). Runs with another --library
                               need a folder of their own. A message that breaks passconduit is
                               tried five times, at intervals that grow from five minutes to forty,
                               and one that exceeds the deadline for five days: its name counts the
                               attempts. Then it moves from 'new' to 'cur', and is not tried again.
          --deadline <seconds>
                               End in this time once the message has come, whatever becomes of its
                               passes (default: 240). If passconduit needs longer, it is ended: the
                               message is spooled, or the exit code is 75.
          --library <folder>   The folder of the library (default: $PASSCONDUIT_LIBRARY or your
                               data folder).
          --trust-root <file>  Trust this authority too, beside Apple and the trust folder (PEM or
                               DER); repeatable.
          --version            Show the version.
          -h, --help           Show help information.

        EXIT CODES (sysexits.h)
          0   done, whatever the message and the passes in it are worth
          64  the command line makes no sense
          75  not now: the library cannot be written, a file in the trust folder cannot be read,
              passconduit cannot be started, refuses its options or exceeds the deadline, the message
              cannot be read or kept or handed on: try again. With --tee the message is printed all
              the same.

        ENVIRONMENT
          PASSCONDUIT_LIBRARY, XDG_DATA_HOME, XDG_CONFIG_HOME, HOME
                          as for passconduit; without HOME, the home in /etc/passwd counts
          XDG_STATE_HOME  where the spool is (otherwise ~/.local/state)
          TMPDIR          where large messages are kept while they are searched (otherwise /var/tmp
                          or /tmp)

        """
}
