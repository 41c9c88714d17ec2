internal import ArgumentParser
internal import Bytes

/// A word of a command line that stands where a command is expected, but is none.
struct UnknownCommand {
    let word: String
    /// The command whose name is most similar; nil if none is similar.
    let nearest: String?
    /// Whether the word is the first, so that it may be a file instead.
    let isFirst: Bool

    /// Nil if all words up to a command without subcommands are commands. Options are skipped.
    init?(in words: some Collection<String>) {
        let names = words.filter { !$0.hasPrefix("-") }
        var depth = 0
        var commands = Passconduit.configuration.subcommands
        while depth < names.count,
            let next = commands.first(where: { $0._commandName == names[depth] })
        {
            commands = next.configuration.subcommands
            depth += 1
        }
        if commands.isEmpty || depth == names.count { return nil }
        // Key paths to these crash the compiler (Swift 6.3).
        let known = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let candidates = depth == 0 ? known + ["help"] : known
        word = names[depth]
        isFirst = depth == 0
        nearest = UnknownCommand.nearest(to: names[depth], in: candidates)
    }

    private static func nearest(to word: String, in names: [String]) -> String? {
        let word = Array(word.lowercased())
        // One mistake in a short word, more in a longer one.
        let limit = min(max(word.count / 3, 1), 3)
        return names.filter { abs($0.count - word.count) <= limit }
            .map { (name: $0, distance: editDistance(word, Array($0))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.name
    }
}
