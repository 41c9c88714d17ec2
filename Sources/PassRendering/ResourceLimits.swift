import Glibc

/// What a process that draws may cost, whatever decoders and fonts do: the system ends it beyond that.
struct ResourceLimits {
    /// In seconds, of one processor.
    var time: rlim_t
    /// In bytes, of addresses. A face with the largest pictures takes about a tenth of it.
    var memory: rlim_t = 2 << 30

    /// In seconds, how much time it took.
    static var usedTime: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec
    }

    /// For good.
    func apply() {
        limit(RLIMIT_CPU, to: time)
        limit(RLIMIT_AS, to: memory)
        // Nobody looks at what is left of a stranger's pass.
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
