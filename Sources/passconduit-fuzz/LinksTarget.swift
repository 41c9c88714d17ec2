import PassDetection
import PassLinks

/// The links found in a text do not depend on how it is split.
func fuzzLinks(_ input: Input) {
    var input = input
    let isHTML = input.isChosen()
    if let repeated = input.repeated { _ = links([repeated[...]], isHTML) }
    let bytes = input.bytes
    let whole = links([bytes[...]], isHTML)
    for _ in 0..<4 {
        let place = input.place()
        let split = links([bytes[..<place], bytes[place...]], isHTML)
        expect(split == whole, "split at \(place) it has \(split), read at once \(whole)")
    }
}

private func links(_ pieces: [ArraySlice<UInt8>], _ isHTML: Bool) -> [String] {
    var limits = LinkLimits()
    limits.url = 200
    limits.dataHead = 20
    var finder = LinkFinder(isHTML: isHTML, types: .builtIn, limits: limits)
    for piece in pieces { finder.feed(Array(piece).span) }
    finder.finish()
    expectStreamSafe(finder.links.map(\.url))
    return finder.links.map(\.url)
}
