"""Writes a file in PKCS #12 that the openssl program does not make.

Arguments: the form, the key and the certificates in PEM. The password is "sesame".
"""

import ctypes
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import PrivateFormat, pkcs12

form, key_path, *certificate_paths = sys.argv[1:]
key = serialization.load_pem_private_key(open(key_path, "rb").read(), None)
own, *others = (x509.load_pem_x509_certificate(open(path, "rb").read()) for path in certificate_paths)


def written(certificate, others, encryption):
    return pkcs12.serialize_key_and_certificates("Näme".encode(), key, certificate, others, encryption)


def without_password(file):
    """Adds a MAC that is derived from no password, which is not the same as from an empty one."""
    library = ctypes.CDLL("libcrypto.so.3")
    pointer = ctypes.c_void_p
    library.d2i_PKCS12.restype = library.EVP_sha1.restype = pointer
    bytes_ = ctypes.c_char_p(file)
    parsed = pointer(library.d2i_PKCS12(None, ctypes.byref(bytes_), ctypes.c_long(len(file))))
    assert library.PKCS12_set_mac(parsed, None, 0, None, 0, 2048, pointer(library.EVP_sha1())) == 1
    output = pointer()
    count = library.i2d_PKCS12(parsed, ctypes.byref(output))
    return ctypes.string_at(output, count)


builder = PrivateFormat.PKCS12.encryption_builder()
forms = {
    "best": lambda: written(own, others, serialization.BestAvailableEncryption(b"sesame")),
    "3des": lambda: written(own, others, builder.kdf_rounds(1000)
        .key_cert_algorithm(pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC)
        .hmac_hash(hashes.SHA1()).build(b"sesame")),
    "unencrypted": lambda: written(own, others, serialization.NoEncryption()),
    "no-password": lambda: without_password(written(own, others, serialization.NoEncryption())),
    # The first certificate is not that of the key.
    "other": lambda: written(None, [own], serialization.BestAvailableEncryption(b"sesame")),
}
sys.stdout.buffer.write(forms[form]())
