package import Localization

extension Sentence {
    /// Results of requests to servers.
    package static let fetching: [Sentence] = [
        Sentence("there is no pass: {reason}"),
        Sentence("it is a web page, '{name}'"),
        Sentence("it is a web page"),
        Sentence("it is an empty file"),
        Sentence("it is {type}"),
        Sentence("a page with links"),
        Sentence("no pass"),
        Sentence("a link is not followed: {reason}"),
        Sentence("the page has a link that is longer than is followed"),
        Sentence("the page has more links than are followed"),
        Sentence("it was paused; `passconduit downloads resume {number}` goes on with it"),
        Sentence("{reason}; `passconduit downloads resume {number}` goes on with it"),
        Sentence("it was cancelled"),
        Sentence("another process is fetching it"),
        Sentence("there is no host of the name {name}"),
        Sentence("the certificate of {name} is not one that is trusted"),
        Sentence("no secure connection to {name} can be made"),
        Sentence("{name} does not speak TLS there"),
        Sentence("{name} refuses the connection"),
        Sentence("{name} closed the connection"),
        Sentence("there is no way to {name}"),
        Sentence("{name} did not answer within {time}"),
        Sentence("nothing came from {name} for {time}"),
        Sentence("it took longer than {time} to fetch from {name}"),
        Sentence("{name} answers with something that is not HTTP"),
        Sentence("passconduit-fetch ended unexpectedly"),
        Sentence("the program that fetches has ended"),
        Sentence("the server sent no body"),
        Sentence("this URL is longer than {count} bytes"),
        Sentence(
            "its web service is reached by http, where anybody on the way can read along (--allow-http)"
        ),
        Sentence("the pass does not say where newer versions of it are"),
        Sentence("it was not asked about: the host wants to be left alone"),
        Sentence("it was not asked about: the host did not answer for others, again and again"),
        Sentence("the pass is untrusted, and only trusted ones are asked about"),
        Sentence("the pass is unsigned, and only trusted ones are asked about"),
        Sentence(
            "the server sent an older pass: it was signed at {date}, the one in the library at {start}"
        ),
        Sentence("the server sent another pass: {name}"),
        Sentence("the server sent something around passes"),
        Sentence("the server sent what is no pass: {reason}"),
        Sentence("the server sent a pass that is untrusted: {reason}"),
        Sentence("the server sent a pass that is unsigned: {reason}"),
        Sentence("the server sent a pass that is tampered: {reason}"),
    ]
}
