# bash completion for passconduit-deliver
_passconduit_deliver() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} IFS=$'\n'
    # The sign between an option and its value is a word of its own.
    if [[ $word == '=' ]]; then
        word='' before+='='
    elif [[ $before == '=' ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}=
    fi
    case $before in
    --library | --library= | --spool=)
        compopt -o filenames
        COMPREPLY=($(compgen -d -- "$word"))
        ;;
    --trust-root | --trust-root=)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$word"))
        ;;
    --deadline | --deadline=) ;;
    *)
        COMPREPLY=($(compgen -W $'--tee\n--header\n--spool\n--deadline\n--library\n--trust-root\n--version\n-h\n--help' -- "$word"))
        ;;
    esac
}
complete -F _passconduit_deliver passconduit-deliver
