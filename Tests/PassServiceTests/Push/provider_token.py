"""Verifies a provider token after Apple's "Establishing a token-based connection to APNs" and RFC 7515.

Usage: provider_token.py KEY IDENTIFIER TEAM. The value of the authorization field is on standard input. Prints the
time of issue.
"""

import base64
import json
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

key_path, identifier, team = sys.argv[1:]
scheme, token = sys.stdin.read().split(" ")
assert scheme == "bearer"
parts = token.split(".")
header, claims, signature = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts)
assert "=" not in token and len(parts) == 3
assert json.loads(header) == {"alg": "ES256", "kid": identifier}
assert set(json.loads(claims)) == {"iss", "iat"} and json.loads(claims)["iss"] == team
assert len(signature) == 64
numbers = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
key = serialization.load_pem_private_key(open(key_path, "rb").read(), None).public_key()
key.verify(utils.encode_dss_signature(*numbers), ".".join(parts[:2]).encode(), ec.ECDSA(hashes.SHA256()))
print(json.loads(claims)["iat"])
