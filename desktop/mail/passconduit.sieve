# passconduit with Dovecot's Sieve: for the top of a script (dovecot.conf beside this file says what
# Dovecot needs for it).
#
# Each message comes in as before, and a copy of it is searched. Without :try, a failure would end the
# script, and the mail would stay in the inbox, whatever folder the rest of the script has for it. With
# :try the script goes on, and --spool sees to it that no pass is lost: while the library cannot be
# written, messages with passes wait in ~/.local/state/passconduit/spool for a later one to bring them
# in. Dovecot ends programs after 10 seconds (sieve_pipe_exec_timeout, sieve_filter_exec_timeout):
# --deadline=8 makes passconduit-deliver spool the message before that.

require ["vnd.dovecot.pipe", "copy"];
pipe :copy :try "passconduit-deliver" ["--spool", "--deadline=8"];

# Or, to have the passes of a message named in its header (X-Passconduit). Where passconduit fails, the
# script goes on with the message as it was.

#require ["vnd.dovecot.filter"];
#filter "passconduit-deliver" ["--header", "--spool", "--deadline=8"];
