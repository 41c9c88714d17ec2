/// What libFuzzer calls with each input. Without `--sanitize fuzzer` nobody does, and the program ends
/// at once.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let input = Input(bytes)
    FuzzTarget.chosen.run(input)
    // What only a longer input does says nothing for this one.
    return input.repeated == nil ? 0 : -1
}
