"""Checks a detached CMS signature without the openssl program or the code under test.

Arguments: the file with the signature and the file with the content. Prints a JSON object, or fails if the
structure is not that of RFC 5652 with one signer in DER.
"""

import hashlib
import json
import sys

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.hashes import SHA256


def values(der):
    """The values in DER, each as (tag, contents, whole)."""
    found, place = [], 0
    while place < len(der):
        start, length = place, der[place + 1]
        place += 2
        if length & 0x80:
            count = length & 0x7f
            length = int.from_bytes(der[place:place + count], "big")
            assert count and length >= (0x80 if count == 1 else 1 << 8 * (count - 1)), "not DER"
            place += count
        assert place + length <= len(der), "cut off"
        found.append((der[start], der[place:place + length], der[start:place + length]))
        place += length
    return found


def verifies(certificate, signature, message):
    key = certificate.public_key()
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(SHA256()))
        else:
            key.verify(signature, message, padding.PKCS1v15(), SHA256())
    except InvalidSignature:
        return False
    return True


OBJECTS = {
    "2a864886f70d010702": "signedData", "2a864886f70d010701": "data", "2a864886f70d010903": "contentType",
    "2a864886f70d010904": "messageDigest", "2a864886f70d010905": "signingTime",
    "608648016503040201": "sha256", "2a864886f70d010101": "rsa", "2a8648ce3d040302": "ecdsaWithSHA256",
}


def name(identifier):
    return OBJECTS.get(identifier.hex(), identifier.hex())


signature, content = (open(path, "rb").read() for path in sys.argv[1:])
[(_, information, _)] = values(signature)
kind, explicit = values(information)
assert name(kind[1]) == "signedData"
[(_, signed_data, _)] = values(explicit[1])
version, digests, encapsulated, certificates, signers = values(signed_data)
[(content_kind, encapsulated_kind, _)] = values(encapsulated[1])
assert name(encapsulated_kind) == "data", "not detached data"
embedded = [x509.load_der_x509_certificate(whole) for _, _, whole in values(certificates[1])]
[(_, signer, _)] = values(signers[1])
signer_version, identifier, digest, attributes, algorithm, value = values(signer)
assert attributes[0] == 0xa0
issuer, serial = values(identifier[1])
[own] = [
    certificate for certificate in embedded
    if certificate.issuer.public_bytes() == issuer[2]
    and certificate.serial_number == int.from_bytes(serial[1], "big")
]
encodings = [whole for _, _, whole in values(attributes[1])]
found = {}
for encoding in encodings:
    attribute, contents = values(values(encoding)[0][1])
    [only] = values(contents[1])
    found[name(attribute[1])] = only
# Signed is the SET OF, not the implicit tag (RFC 5652, 5.4).
message = b"\x31" + attributes[2][1:]
print(json.dumps({
    "subjects": [certificate.subject.rfc4514_string() for certificate in embedded],
    "signer": own.subject.rfc4514_string(),
    "attributes": sorted(found),
    "isOrdered": encodings == sorted(encodings),
    "contentType": name(found["contentType"][1]),
    "timeTag": found["signingTime"][0],
    "time": found["signingTime"][1].decode(),
    "digestAlgorithm": name(values(digest[1])[0][1]),
    "algorithm": name(values(algorithm[1])[0][1]),
    "hasDigest": found["messageDigest"][1] == hashlib.sha256(content).digest(),
    "verifies": verifies(own, value[1], message),
}))
