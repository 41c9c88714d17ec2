/// The header of a message after several hops: 25 to 80 lines.
extension MailMaker {
    mutating func appendHeader(isList: Bool) {
        let sender = random.below(500)
        let host = "mail\(random.below(40)).example\(random.below(9)).com"
        let bounce = isList ? "bounce-\(hexadecimal(4))" : "sender\(sender)"
        append("Return-Path: <\(bounce)@\(host)>\nDelivered-To: person@example.net\n")
        for hop in 0..<(2 + random.below(5)) {
            append(
                """
                Received: from \(host) (\(host) [203.0.113.\(random.below(255))])
                        by mx\(hop).example.net (Postfix) with ESMTPS id \(hexadecimal(2))
                        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);
                        Tue, \(day) May 2024 10:0\(9 - hop):\(10 + random.below(50)) +0000 (UTC)

                """)
        }
        if random.below(3) > 0 {
            append("ARC-Seal: i=1; a=rsa-sha256; t=17150\(random.below(99_999)); cv=none;\n")
            appendTokens(5)
            appendSignature("ARC-Message-Signature: i=1;", host)
        }
        append(
            """
            Received-SPF: pass (example.net: domain of \(bounce)@\(host) designates 203.0.113.7 as
                    permitted sender) client-ip=203.0.113.7;
            Authentication-Results: mx.example.net; dkim=pass header.i=@\(host)
                    header.s=s\(random.below(9)) header.b=\(hexadecimal(1)); spf=pass
                    smtp.mailfrom=\(bounce)@\(host); dmarc=pass (p=REJECT sp=REJECT dis=NONE)

            """)
        for _ in 0...random.below(2) { appendSignature("DKIM-Signature: v=1;", host) }
        append("X-Spam-Status: No, score=-\(random.below(5)).1 required=5.0 tests=DKIM_SIGNED,\n")
        append("\tDKIM_VALID,HTML_MESSAGE,RCVD_IN_DNSWL_NONE,SPF_PASS autolearn=ham\n")
        isList ? appendListFields(host) : appendThreadFields(host)
        append(
            """
            Date: Tue, \(day) May 2024 10:00:00 +0000
            From: "Sender \(sender)" <sender\(sender)@example.com>
            To: Person <person@example.net>
            Message-ID: <\(messages).\(hexadecimal(2))@example.com>
            Subject: \(subject)
            MIME-Version: 1.0

            """)
    }

    private mutating func appendSignature(_ start: String, _ host: String) {
        append(
            """
            \(start) a=rsa-sha256; c=relaxed/relaxed; d=\(host); s=s1;
                    h=from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe;
                    bh=\(hexadecimal(2)); b=

            """)
        appendTokens(5)
    }

    private mutating func appendTokens(_ count: Int) {
        for _ in 0..<count { append("         \(random.one(of: pools.tokens))\n") }
    }

    private mutating func appendListFields(_ host: String) {
        append(
            """
            List-ID: <news.\(host)>
            List-Unsubscribe: <https://\(host)/unsubscribe/\(hexadecimal(4))>,
                <mailto:unsubscribe-\(hexadecimal(2))@\(host)?subject=unsubscribe>
            List-Unsubscribe-Post: List-Unsubscribe=One-Click
            Feedback-ID: \(random.below(9999)):\(random.below(9999)):campaign:sender
            Precedence: bulk

            """)
        for number in 0..<random.below(12) {
            append("X-Campaign-\(number): \(random.one(of: pools.tokens))\n")
        }
    }

    private mutating func appendThreadFields(_ host: String) {
        let thread = (0..<random.below(12)).map { "\n <\($0).\(hexadecimal(2))@\(host)>" }
        if let last = thread.last { append("In-Reply-To:\(last)\nReferences:\(thread.joined())\n") }
        let others = (0..<random.below(7)).map { "\n \"Person \($0)\" <p\($0)@example.org>" }
        if !others.isEmpty { append("Cc:\(others.joined(separator: ","))\n") }
        append("User-Agent: Mail/5.\(random.below(99))\nX-Originating-IP: [198.51.100.7]\n")
    }

    private var day: Int { 1 + messages % 28 }

    private var subject: String {
        mutating get {
            let words = MailPools.words(3 + random.below(6), &random)
            let encoded = TransferEncoding.base64(words.utf8).dropLast(1)
            return random.below(4) > 0
                ? words : "=?UTF-8?B?\(String(decoding: encoded, as: UTF8.self))?="
        }
    }
}
