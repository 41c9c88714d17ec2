import CCurl
import Glibc
import Platform

/// Performs transfers in one thread, and keeps their connections for later ones (a multi handle of
/// libcurl).
@safe final class CurlLoop {
    /// Connections that are kept open without a transfer.
    private static let keptConnections = 16

    let watchdog: Watchdog
    private let pointer: UnsafeMutableRawPointer
    private var running: [UnsafeMutableRawPointer: CurlHandle] = unsafe [:]

    /// Nil without memory.
    init?(_ watchdog: Watchdog) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
            let pointer = unsafe curl_multi_init()
        else { return nil }
        self.watchdog = watchdog
        unsafe self.pointer = unsafe pointer
        unsafe curl_set_most_connections(pointer, CurlLoop.keptConnections)
    }

    deinit { unsafe curl_multi_cleanup(pointer) }

    func add(_ handle: CurlHandle) {
        unsafe running[handle.pointer] = handle
        guard unsafe curl_multi_add_handle(pointer, handle.pointer) != CURLM_OK else { return }
        unsafe running[handle.pointer] = nil
        handle.finish(handle.result(CURLE_FAILED_INIT))
    }

    /// Cancels a transfer.
    func remove(_ handle: CurlHandle) {
        guard unsafe running.removeValue(forKey: handle.pointer) != nil else { return }
        unsafe curl_multi_remove_handle(pointer, handle.pointer)
    }

    /// Continues the transfers, then waits until one of them can continue, a file is readable, or
    /// `milliseconds` have passed.
    ///
    /// - Returns: Whether the file is readable.
    func run(watching file: FileDescriptor, atMost milliseconds: CInt) -> Bool {
        var count: CInt = 0
        watchdog.beginTurn()
        unsafe curl_multi_perform(pointer, &count)
        watchdog.endTurn()
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(pointer, &left)?.pointee {
            guard unsafe message.msg == CURLMSG_DONE,
                let handle = unsafe running[message.easy_handle]
            else { continue }
            let result = unsafe handle.result(message.data.result)
            remove(handle)
            handle.finish(result)
        }
        var watched = curl_waitfd(fd: file.number, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        unsafe curl_multi_poll(pointer, &watched, 1, milliseconds, nil)
        return watched.revents != 0
    }
}
