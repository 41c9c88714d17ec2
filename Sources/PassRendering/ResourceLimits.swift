import Glibc

/// Resource limits for a process that draws. The kernel ends the process if it exceeds them.
struct ResourceLimits {
    /// CPU time in seconds.
    var time: rlim_t
    /// Address space in bytes. A face with the largest pictures needs about a tenth.
    var memory: rlim_t = 2 << 30

    /// The CPU time used so far, in seconds.
    static var usedTime: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec
    }

    /// Sets the limits permanently.
    func apply() {
        limit(RLIMIT_CPU, to: time)
        limit(RLIMIT_AS, to: memory)
        // No core dumps of untrusted data.
        limit(RLIMIT_CORE, to: 0)
    }

    private func limit(_ resource: __rlimit_resource, to value: rlim_t) {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_max = min(value, limit.rlim_max)
        limit.rlim_cur = min(value, limit.rlim_cur)
        _ = unsafe setrlimit(resource, &limit)
    }
}
