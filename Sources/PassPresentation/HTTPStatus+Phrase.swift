extension Phrase {
    /// The meaning of a status code for a client (RFC 9110, 15; RFC 6585; RFC 8470); nil for a code
    /// that needs no explanation.
    static func meaning(ofStatus code: Int) -> Phrase? {
        switch code {
        case 204, 205: Phrase("no content")
        case 300: Phrase("several choices")
        case 304: Phrase("not modified")
        case 305: Phrase("available only through a proxy")
        case 400: Phrase("the server does not understand the request")
        case 401:
            Phrase("a user name and password are required, or the token of the pass is wrong")
        case 402: Phrase("payment is required")
        case 403, 405: Phrase("access is denied")
        case 404: Phrase("not found")
        case 406: Phrase("not available in any requested format")
        case 407: Phrase("a proxy requires a user name and password")
        case 408: Phrase("the request took too long")
        case 409: Phrase("the request conflicts with another one")
        case 410: Phrase("permanently removed")
        case 425: Phrase("too early")
        case 429: Phrase("too many requests")
        case 431: Phrase("the request is too long")
        case 451: Phrase("unavailable for legal reasons")
        case 500: Phrase("internal server error")
        case 501: Phrase("the server does not support the request")
        case 502: Phrase("the server behind it gave no valid response")
        case 503: Phrase("busy or under maintenance")
        case 504: Phrase("the server behind it took too long")
        case 511: Phrase("the network requires signing in first")
        default: nil
        }
    }
}
