import Confinement
import Dispatch
import Glibc

/// Keeps Dispatch's queue full for longer than the second after which it inspects its threads.
func dispatchUnderLoad(_ rights: ProcessRights) throws -> CInt {
    _ = try rights.apply()
    let group = DispatchGroup()
    for _ in 0..<16 * sysconf(CInt(_SC_NPROCESSORS_ONLN)) {
        DispatchQueue.global().async(group: group) { usleep(100_000) }
    }
    group.wait()
    print("done")
    return 0
}
