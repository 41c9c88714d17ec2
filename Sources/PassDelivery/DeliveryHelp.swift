/// What the program says about itself.
enum DeliveryHelp {
    static let version: StaticString = "0.1.0\n"

    static let text: StaticString = """
        OVERVIEW: Bring the Wallet passes in a message into the library: for the mail path.

        Reads one message from the standard input, as procmail and others hand it over, and \
        prints nothing. If something in it may be a pass, `passconduit import` is run, from the \
        folder of this program or an absolute one in $PATH; trusted passes enter the library. \
        What is wrong with a message or a pass goes to the standard error, and is no reason to \
        refuse the mail.

        USAGE: passconduit-deliver [--library <folder>] [--trust-root <file> ...]

        EXAMPLES
          passconduit-deliver < message.eml

          :0c                        # in ~/.procmailrc: each message comes in as before,
          | passconduit-deliver      # and a copy is searched

        OPTIONS
          --library <folder>   The folder of the library (default: $PASSCONDUIT_LIBRARY or your
                               data folder).
          --trust-root <file>  Trust this authority too, beside Apple and the trust folder (PEM or
                               DER); repeatable.
          --version            Show the version.
          -h, --help           Show help information.

        EXIT CODES (sysexits.h)
          0   done, whatever the message and the passes in it are worth
          64  the command line makes no sense
          75  not now: the library cannot be written, passconduit cannot be started or refuses its
              options, the message cannot be read or kept: try again

        ENVIRONMENT
          PASSCONDUIT_LIBRARY, XDG_DATA_HOME, XDG_CONFIG_HOME, HOME  as for passconduit
          TMPDIR  where messages are kept while they are searched (otherwise /var/tmp or /tmp)

        """
}
