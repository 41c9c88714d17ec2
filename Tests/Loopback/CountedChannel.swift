import HummingbirdCore
import Logging
import NIOCore

/// Numbered connections, which can be closed at any time.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let record: ServerRecord

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        record.opened(channel)
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
