/// What whoever asks for something allows for it.
package struct FetchTerms: Sendable, Hashable, Codable {
    /// Whether `http:` is fetched too, where anybody on the way can read and change what comes.
    package var allowsHTTP = false
    /// Whether addresses of this computer and of networks like one's own are connected to.
    package var allowsPrivateAddresses = false
    /// The value of User-Agent.
    package var userAgent = "passconduit"
    /// At how many bytes to give up.
    package var maximumSize = 1 << 30

    package init() {}
}
