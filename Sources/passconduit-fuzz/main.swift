/// Called by libFuzzer for each input. Without `--sanitize fuzzer`, the program ends at once.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let input = Input(bytes)
    FuzzTarget.chosen.run(input)
    // Exclude inputs with repetitions from the corpus.
    return input.repeated == nil ? 0 : -1
}
