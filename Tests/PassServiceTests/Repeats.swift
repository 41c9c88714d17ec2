import Testing

extension Tag {
    /// Marks tests that repeat one thing many times: `make test` runs a part of the rounds, `make
    /// endurance` all.
    @Tag static var repeats: Self
}
