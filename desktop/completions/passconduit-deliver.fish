complete -c passconduit-deliver -f
complete -c passconduit-deliver -l tee -d 'Print the message as it came'
complete -c passconduit-deliver -l header -d 'Print the message with a field for each pass'
complete -c passconduit-deliver -l spool -d 'Keep the message while the library cannot take the passes'
complete -c passconduit-deliver -l deadline -x -d 'End in this many seconds'
complete -c passconduit-deliver -l library -r -a '(__fish_complete_directories)' -d 'The folder of the library'
complete -c passconduit-deliver -l trust-root -r -F -d 'Trust this authority too (PEM or DER)'
complete -c passconduit-deliver -l version -d 'Show the version'
complete -c passconduit-deliver -s h -l help -d 'Show help information'
