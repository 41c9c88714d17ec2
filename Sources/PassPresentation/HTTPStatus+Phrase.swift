extension Phrase {
    /// The meaning of a status code for a client (RFC 9110, 15; RFC 6585; RFC 8470); nil for a code
    /// that needs no explanation.
    static func meaning(ofStatus code: Int) -> Phrase? {
        switch code {
        case 204, 205: Phrase("there is nothing there")
        case 300: Phrase("there are several things to choose from")
        case 304: Phrase("nothing has changed")
        case 305: Phrase("only through a proxy of its own")
        case 400: Phrase("it does not understand the request")
        case 401:
            Phrase("it asks for a name and a password, or the pass's token is not the right one")
        case 402: Phrase("it wants to be paid")
        case 403, 405: Phrase("it does not give this away")
        case 404: Phrase("there is no such thing there")
        case 406: Phrase("it has nothing of this kind")
        case 407: Phrase("a proxy asks for a name and a password")
        case 408: Phrase("it did not want to wait any longer")
        case 409: Phrase("something else is at work there")
        case 410: Phrase("it is gone for good")
        case 425: Phrase("it is too early")
        case 429: Phrase("it was asked too often")
        case 431: Phrase("the request is too long for it")
        case 451: Phrase("it may not give this away by law")
        case 500: Phrase("something is wrong there")
        case 501: Phrase("it cannot do that")
        case 502: Phrase("the server behind it gives no answer")
        case 503: Phrase("it is busy, or being mended")
        case 504: Phrase("the server behind it takes too long")
        case 511: Phrase("the network wants to be signed in to first")
        default: nil
        }
    }
}
