extension Phrase.Value {
    /// A duration in seconds, or in minutes from two minutes on.
    static func duration(_ seconds: Double) -> Phrase.Value {
        if seconds >= 120, let minutes = Int(exactly: (seconds / 60).rounded()) {
            return .phrase(.counted("{count} minute", "{count} minutes", minutes))
        }
        if let seconds = Int(exactly: seconds) {
            return .phrase(.counted("{count} second", "{count} seconds", seconds))
        }
        return .phrase(Phrase("{number} seconds", ["number": .text("\(seconds)")]))
    }

    /// A size in MiB, the unit of the limits, or in bytes if small.
    static func size(_ bytes: Int) -> Phrase.Value {
        let tenths = Int((Double(bytes) / 104_857.6).rounded())
        if tenths == 0 { return .phrase(.counted("{count} byte", "{count} bytes", bytes)) }
        return .text(
            tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB")
    }
}
