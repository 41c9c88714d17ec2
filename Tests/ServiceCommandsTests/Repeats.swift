import Testing

extension Tag {
    /// Marks tests that run many rounds: `make test` runs some of the rounds, `make endurance` runs
    /// all.
    @Tag static var repeats: Self
}
