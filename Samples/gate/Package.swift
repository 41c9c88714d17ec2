// swift-tools-version: 6.2
import PackageDescription

// Outside this tree, the dependency has a URL and a version.
let package = Package(
    name: "gate",
    dependencies: [.package(path: "../..")],
    targets: [
        .executableTarget(
            name: "gate",
            dependencies: [
                .product(name: "PassModel", package: "passconduit"),
                .product(name: "PassStore", package: "passconduit"),
                .product(name: "PassVerification", package: "passconduit"),
            ])
    ])
