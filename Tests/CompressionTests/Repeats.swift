import Testing

extension Tag {
    /// Of tests that do one thing many times: `make test` runs a part of the rounds, `make endurance` all.
    @Tag static var repeats: Self
}
