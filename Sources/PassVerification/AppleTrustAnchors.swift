/// Apple's root certificates and the Worldwide Developer Relations (WWDR) intermediates that issue
/// pass certificates: names, keys and validity as published at
/// https://www.apple.com/certificateauthority/. A trust anchor is a name and a key (RFC 5914); the
/// certificates themselves are not needed.
enum AppleTrustAnchors {
    struct Row {
        let name: String
        /// DER in base64.
        let subject: String
        /// In seconds since 1970.
        let notBefore: Int
        let notAfter: Int
        /// The SHA-256 of the published certificate.
        let fingerprint: String
        /// SubjectPublicKeyInfo, DER in base64.
        let key: String
    }

    static let rows = [
        // 2006-04-25 to 2035-02-09.
        Row(
            name: "Apple Root CA",
            subject: """
                MGIxCzAJBgNVBAYTAlVTMRMwEQYDVQQKEwpBcHBsZSBJbmMuMSYwJAYDVQQLEx1BcHBsZSBDZXJ0\
                aWZpY2F0aW9uIEF1dGhvcml0eTEWMBQGA1UEAxMNQXBwbGUgUm9vdCBDQQ==
                """,
            notBefore: 1_146_001_236, notAfter: 2_054_670_036,
            fingerprint: "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5JGpCR+R2x5HUOsF7V55hC3rNqJXTFXs\
                ixmJ3vlLbPUHqyIwAugYPvhQCdN/QaiY+dHKZpwkaxHQo7vkGyrDH5WeegykR4tb1BY3M8vED03O\
                FGnRyRly9V0O1X9fm/IlA7pVj01dDfFkNSMVSxVZHbOU9/acns9QusFYUGePCLQg98usLCBvcLY/\
                ATCMt0PPD5098ytJKBrI/s61uQ7ZXhzWyz21Oq30Dw4AkguxIRYudNU8DdtiFqujcZJHU1XBry9B\
                s/j743DN5qNMRX4fTGtQlkGJxHRiCxCDQYczioGxMFjsWgQyjGizjx3eZXP/Z15lvEnYdp8zFGWh\
                d5TJLQIDAQAB
                """),
        // 2014-04-30 to 2039-04-30.
        Row(
            name: "Apple Root CA - G2",
            subject: """
                MGcxGzAZBgNVBAMMEkFwcGxlIFJvb3QgQ0EgLSBHMjEmMCQGA1UECwwdQXBwbGUgQ2VydGlmaWNh\
                dGlvbiBBdXRob3JpdHkxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNVBAYTAlVT
                """,
            notBefore: 1_398_881_409, notAfter: 2_187_799_809,
            fingerprint: "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
            key: """
                MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA2BESSEjaKYpJxRzH7G4zbf5N++Ac3qxe\
                4janJPl/UGtMzrkwVCfls9btJeYwtgU3XhQiEcXoqhvS+7LSCZU4pO8qSYxdPnFmAzj7FvWFiORa\
                kgwEMvLIQPtSX5/2wPHjukWgUNUSi/Ld3pGGI/D1tnIuAdoL9i45CF8ZoWNBCxynlMGGxFMvdvYK\
                1wzRgz8aUxnzV9Unf/wTuPiSjfzTKEM8tWgAJV0nYtPdVd1EIJCDNZPFv7gZ+2vj3AhC5q9t+p5A\
                yk6FhXhJsdfDwTA5Mqt+X6rTi2+fLRohaHBns6PxmEFtkXz419uo518hGowzvzF0t7jR9OAi9L9y\
                NN/3gU1xfVGh4rPw0ygWc2/NzK03fU7rrUDhP4H99z0KPqLxvTGWKVncwhmAjFt0xizTEFMmHRRP\
                xNSBZjyHZzMnFAjptHeENFKPifhomBe/w7uqE5MfXVQvqMd8+w0UvhU9JDTymtx1QWYitAHWC6+Q\
                ngzqYvibWTwI4pY05GPevDfU6wyIA0MLUK+gNN1QTRX7WiTYDPoMY54fA7Hh7uGqQ/RmZSg3AjHv\
                Acce0cyfbcpUOkDbzs9PRotKZZpqxmhs18yZG0ewcsN3j8T3YZx0H879a6HCnJSCq5Si570burlw\
                OZUXxSnzOVg09cSkxntguWZDUD9uYfwO+YaqYAxDS5UCAwEAAQ==
                """),
        // 2014-04-30 to 2039-04-30.
        Row(
            name: "Apple Root CA - G3",
            subject: """
                MGcxGzAZBgNVBAMMEkFwcGxlIFJvb3QgQ0EgLSBHMzEmMCQGA1UECwwdQXBwbGUgQ2VydGlmaWNh\
                dGlvbiBBdXRob3JpdHkxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNVBAYTAlVT
                """,
            notBefore: 1_398_881_946, notAfter: 2_187_800_346,
            fingerprint: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
            key: """
                MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEmOkvPUBypO2TInKBExzdEJXxxaNOcdwUFtkO5aYFKndk\
                e19OONO7HES1f/UftjJiXcnphFtPME8RWgD9WFgMpfUPLE0HRxN12peXl28xXO0rnXsgO9i5VNle\
                maQ6UQox
                """),
        // 2008-02-14 to 2016-02-14.
        Row(
            name: "Apple WWDR CA (2008)",
            subject: """
                MIGWMQswCQYDVQQGEwJVUzETMBEGA1UECgwKQXBwbGUgSW5jLjEsMCoGA1UECwwjQXBwbGUgV29y\
                bGR3aWRlIERldmVsb3BlciBSZWxhdGlvbnMxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZl\
                bG9wZXIgUmVsYXRpb25zIENlcnRpZmljYXRpb24gQXV0aG9yaXR5
                """,
            notBefore: 1_203_015_395, notAfter: 1_455_476_195,
            fingerprint: "64b302913f11ca1b6806093b76cade7f7b123be0c04924fda87f5f4e8647f051",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyjhUpstWqsgkOUjpjO7sX7h/JpG8NFN6\
                znxjgGF3ZF6lByO2Of5QLRVWWHAtfsRuwUqFPi/w3oQaoVfJr3sY/2r6FRJJFQgZrKrbKjLtlmNo\
                UhU9jIrsv2sYleADrAF9lwVnzg6FlTdq7Qm2rmfNUWSfxlzRvFduZzWAdjakh4FuOI/YKxVOeyXY\
                Wr9Og8GN0pPVGnG1YJydM05V+RJYDIa4Fg3B5XdFjVBIuist5JSF4ejEncZopbCj/Gd+cLoCWUt3\
                QpE5ufXN4UzvwDtIjKblIV39amq7pxY1YNLmrfNGKcnow4vpecBqYWcVsvD95Wi8Yl9uz5nd7xtj\
                /pJlqwIDAQAB
                """),
        // 2013-02-07 to 2023-02-07.
        Row(
            name: "Apple WWDR CA (2013)",
            subject: """
                MIGWMQswCQYDVQQGEwJVUzETMBEGA1UECgwKQXBwbGUgSW5jLjEsMCoGA1UECwwjQXBwbGUgV29y\
                bGR3aWRlIERldmVsb3BlciBSZWxhdGlvbnMxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZl\
                bG9wZXIgUmVsYXRpb25zIENlcnRpZmljYXRpb24gQXV0aG9yaXR5
                """,
            notBefore: 1_360_273_727, notAfter: 1_675_806_527,
            fingerprint: "ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyjhUpstWqsgkOUjpjO7sX7h/JpG8NFN6\
                znxjgGF3ZF6lByO2Of5QLRVWWHAtfsRuwUqFPi/w3oQaoVfJr3sY/2r6FRJJFQgZrKrbKjLtlmNo\
                UhU9jIrsv2sYleADrAF9lwVnzg6FlTdq7Qm2rmfNUWSfxlzRvFduZzWAdjakh4FuOI/YKxVOeyXY\
                Wr9Og8GN0pPVGnG1YJydM05V+RJYDIa4Fg3B5XdFjVBIuist5JSF4ejEncZopbCj/Gd+cLoCWUt3\
                QpE5ufXN4UzvwDtIjKblIV39amq7pxY1YNLmrfNGKcnow4vpecBqYWcVsvD95Wi8Yl9uz5nd7xtj\
                /pJlqwIDAQAB
                """),
        // 2014-05-06 to 2029-05-06.
        Row(
            name: "Apple WWDR CA - G2",
            subject: """
                MIGAMTQwMgYDVQQDDCtBcHBsZSBXb3JsZHdpZGUgRGV2ZWxvcGVyIFJlbGF0aW9ucyBDQSAtIEcy\
                MSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUg\
                SW5jLjELMAkGA1UEBhMCVVM=
                """,
            notBefore: 1_399_419_804, notAfter: 1_872_805_404,
            fingerprint: "9ed4b3b88c6a339cf1387895bda9ca6ea31a6b5ce9edf7511845923b0c8ac94c",
            key: """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3fC3BkvP3XMEE8RDiQOTgPte9nStQmFSWAImUxnI\
                YyIHCVJhysTZV+9tJmiLdJGMxPmAaCj8CWjwENrp0C7JGg==
                """),
        // 2020-02-19 to 2030-02-20.
        Row(
            name: "Apple WWDR CA - G3",
            subject: """
                MHUxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9wZXIgUmVsYXRpb25zIENlcnRpZmlj\
                YXRpb24gQXV0aG9yaXR5MQswCQYDVQQLDAJHMzETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UE\
                BhMCVVM=
                """,
            notBefore: 1_582_136_027, notAfter: 1_897_776_000,
            fingerprint: "dcf21878c77f4198e4b4614f03d696d89c66c66008d4244e1b99161aac91601f",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2PWJ/KhZC4fHTJEuLVaQ03gdpDDppUjv\
                C0O/LYT7JF1FG+XrWTYSXFRknmxiLbTGl8rMPPbWBpH85QKmHGq0edVny6zpPwcR4YS8Rx1mjjmi\
                6LRJ7TrS4RBgeo6TjMrA2gzAg9Dj+ZHWp4zIwXPirkbRYp2SqJBgN31ols2N4Pyb+ni743uvLRfd\
                W/6AWSN1F7gSwe0b5TTO/iK1nkmw5VW/j4SiPKi6xYaVFuQAyZ8D0MyzOhZ71gVcnetHrg21LYwO\
                aU1A0EtMOwSejSGxrC5DVDDOwYqGlJhL32oNP/77HK6XF8J4CjDgXx9UO0m3JQAaN4LSVpelUkl8\
                YDib7wIDAQAB
                """),
        // 2020-12-16 to 2030-12-10.
        Row(
            name: "Apple WWDR CA - G4",
            subject: """
                MHUxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9wZXIgUmVsYXRpb25zIENlcnRpZmlj\
                YXRpb24gQXV0aG9yaXR5MQswCQYDVQQLDAJHNDETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UE\
                BhMCVVM=
                """,
            notBefore: 1_608_147_364, notAfter: 1_923_091_200,
            fingerprint: "ea4757885538dd8cb59ff4556f676087d83c85e70902c122e42c0808b5bce14c",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0B94qnonMrBGX+cXdtignQ4pjq09MqXE\
                azfJ5EGRard5cV0MNARgdfeuQ49HxIYeCOi/1jlSLx5n/HHxgm08fgZSdp0svNVD6bG0vEA6eFFd\
                UaEl4b5skZ1rIVkYQdUPjW1BKjlKIeCQn04TT9CMmjK412qSHiVqpDLOIhmFBWDcAkryWut3eQJ9\
                wJdUbJKOdgHmRo/l5ir7orCtGK1tM4U4I4vqipbtn65mT6MMQCdtldBiiNlDKSf97aS/Uy6QFWU8\
                2S5iZDMdbGrdjiGqpF8VxjDtX+aMNpKUt9w5AgD7ZIzUDIHyP9U0l4d1JsJvrgNjIQx71BuxYsUC\
                nL39rwIDAQAB
                """),
        // 2020-12-16 to 2030-12-10.
        Row(
            name: "Apple WWDR CA - G5",
            subject: """
                MHUxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9wZXIgUmVsYXRpb25zIENlcnRpZmlj\
                YXRpb24gQXV0aG9yaXR5MQswCQYDVQQLDAJHNTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UE\
                BhMCVVM=
                """,
            notBefore: 1_608_147_536, notAfter: 1_923_091_200,
            fingerprint: "53fd008278e5a595fe1e908ae9c5e5675f26243264a5a6438c023e3ce2870760",
            key: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAn13aH/v6vNBLIjzH1ib6F/f0nx4+ZBFm\
                mu9evqs0vaosIW7WHpQhhSx0wQ4QYao8Y0p+SuPIddbPwpwISHtquSmxyWb9yIoW0bIEPIK6gGzi\
                /wpy66z+O29Ivp6LEU2VfbJ7kC8CHE78Sb7Xb7VPvnjG2t6yzcnZZhE7WukJRXOJUNRO4mgFftp1\
                nEsBrtrjz210Td5T0NUaOII60J3jXSl7sYHqKScL+2B8hhL78GJPBudM0R/ZbZ7tc9p4IQ2dcNlG\
                V5BfZ4TBc3cKqGJitq5whrt1I4mtefbmpNT9gyYyCjskklsgoZzRL4AYm908C+e1/eyAVw8Xnj8r\
                hye79wIDAQAB
                """),
        // 2021-03-17 to 2036-03-19.
        Row(
            name: "Apple WWDR CA - G6",
            subject: """
                MHUxRDBCBgNVBAMMO0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9wZXIgUmVsYXRpb25zIENlcnRpZmlj\
                YXRpb24gQXV0aG9yaXR5MQswCQYDVQQLDAJHNjETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UE\
                BhMCVVM=
                """,
            notBefore: 1_616_013_430, notAfter: 2_089_497_600,
            fingerprint: "bdd4ed6e74691f0c2bfd01be0296197af1379e0418e2d300efa9c3bef642ca30",
            key: """
                MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEbsQKC94PrlWmZXnXgtxzdVJL8T0SGYngDRGpngn3N6PT\
                8JMEb7FDi4bBmPhCnZ3/sq6PF/cGcKXWsL5vOteRhyJ45x3ASP7cOB+aao90fcpxSv/EZFbniAbN\
                gZGhIhpI
                """),
    ]
}
