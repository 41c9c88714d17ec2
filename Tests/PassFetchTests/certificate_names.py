"""Tells whether OpenSSL accepts certificates for hosts: reads rows of JSON, prints a list of booleans.

usage: certificate_names.py AUTHORITY
"""

import json
import ssl
import sys

# X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH of <openssl/x509_vfy.h>.
FOR_ANOTHER_HOST = (62, 64)


def is_taken(row, authority):
    client = ssl.create_default_context(cafile=authority)
    client.hostname_checks_common_name = False
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(row["certificate"], row["key"])
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(back, there, server_hostname=row["host"]),
        server.wrap_bio(there, back, server_side=True),
    ]
    while sides:
        for side in list(sides):
            try:
                side.do_handshake()
                sides.remove(side)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLCertVerificationError as error:
                if error.verify_code in FOR_ANOTHER_HOST:
                    return False
                raise
    return True


print(json.dumps([is_taken(row, sys.argv[1]) for row in json.load(sys.stdin)]))
