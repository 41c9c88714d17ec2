/// What libFuzzer calls with each input. Without `--sanitize fuzzer` nobody does, and the program ends
/// at once.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    FuzzTarget.chosen.run(Input(bytes))
    return 0
}
