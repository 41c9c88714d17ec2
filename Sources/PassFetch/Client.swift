internal import Fetching

/// What all requests share.
struct Client {
    let loop: CurlLoop
    let configuration: FetchConfiguration
    /// The folder for bodies.
    let folder: String
    let proxies: ProxyChoice
    let names: ProxiedNames
}
