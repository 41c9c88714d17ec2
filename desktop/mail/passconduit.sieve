# passconduit with Dovecot's Sieve: for the beginning of a script (see dovecot.conf in this folder for
# Dovecot's configuration).
#
# Each message is delivered as before, and a copy is searched for passes. Without :try, a failure would
# end the script, and the mail would stay in the inbox instead of being sorted. With :try the script
# continues, and --spool makes sure that no pass is lost: while the library cannot be written, messages
# with passes wait in ~/.local/state/passconduit/spool and are imported with a later message. Dovecot
# ends programs after 10 seconds (sieve_pipe_exec_timeout, sieve_filter_exec_timeout); with --deadline=8
# passconduit-deliver spools the message before that.

require ["vnd.dovecot.pipe", "copy"];
pipe :copy :try "passconduit-deliver" ["--spool", "--deadline=8"];

# Alternatively, add the passes of a message to its header (X-Passconduit). If passconduit-deliver
# fails, the script continues with the original message.

#require ["vnd.dovecot.filter"];
#filter "passconduit-deliver" ["--header", "--spool", "--deadline=8"];
