import Glibc
import MailSource
import Testing

@testable import PassDelivery

@Suite("The spool is in the user's home")
struct DeliveryEnvironmentTests {
    @Test("without HOME and XDG_STATE_HOME, in the home of the user database")
    func home() throws {
        let variables = ["HOME", "XDG_STATE_HOME"].map { (name: String) -> (String, String?) in
            guard let value = unsafe getenv(name) else { return (name, nil) }
            return (name, unsafe String(cString: value))
        }
        defer {
            for (name, value) in variables {
                if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
            }
        }
        for (name, _) in variables { unsafe unsetenv(name) }
        let home = unsafe String(cString: try #require(getpwuid(getuid())).pointee.pw_dir)
        #expect(
            DeliveryEnvironment().spoolFolder?.description
                == "\(home)/.local/state/passconduit/spool")
    }
}
