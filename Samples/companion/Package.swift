// swift-tools-version: 6.2
import PackageDescription

// Outside this tree, the dependency has a URL and a version.
let package = Package(
    name: "companion",
    dependencies: [.package(path: "../..")],
    targets: [
        .executableTarget(
            name: "companion",
            dependencies: [
                .product(name: "PassModel", package: "passconduit"),
                .product(name: "PassPresentation", package: "passconduit"),
                .product(name: "PassStore", package: "passconduit"),
                .product(name: "PassVerification", package: "passconduit"),
            ])
    ])
