"""Make the self-signed TLS certificate at the first start, and compute its fingerprint."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.game import GameError
from companion.files import atomic_write

if TYPE_CHECKING:
    from cryptography import x509

CERTIFICATE_FILE = "tls.pem"
"""The file with the key and the certificate, 0600 as everything in the data folder."""
NOT_BEFORE, NOT_AFTER = datetime.datetime(2019, 6, 30), datetime.datetime(2049, 12, 31, 23, 59, 59)
"""So early and so late that a machine without a clock serves too. Apple refuses certificates that
begin after 30 June 2019 and are valid for more than 825 days (support.apple.com/HT210176).
"""


class CertificateUnreadable(GameError, OSError):
    """Error raised at the start when the certificate cannot be read or made; nothing is deleted."""

    code = "certificate_unreadable"


class Certificate:
    """Load the certificate of a data folder; make it for these hosts if it is missing.

    A changed address makes no new certificate: people compare its fingerprint, and browsers warn in
    any case. Raises `CertificateUnreadable`.
    """

    def __init__(self, folder: Path, hosts: Iterable[str]) -> None:
        path = folder / CERTIFICATE_FILE
        try:
            if not path.exists():
                atomic_write(path, make_certificate(hosts))
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(path)
            pem = path.read_text(encoding="ascii")
        except (OSError, ValueError) as wrong:
            raise CertificateUnreadable("certificate_unreadable", file=str(path)) from wrong
        # Without it a browser could negotiate HTTP/2, which waitress does not support.
        self.context.set_alpn_protocols(["http/1.1"])
        der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE") :])
        self.fingerprint = fingerprint(der)


def make_certificate(hosts: Iterable[str]) -> bytes:
    """Return a fresh key on P-256 and its certificate, as PEM."""
    # The library takes some 10 MB and is needed only once per data folder.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Table companion")])
    names = [_address(host) or x509.DNSName(host) for host in hosts]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOT_BEFORE)
        .not_valid_after(NOT_AFTER)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private_key = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private_key + certificate.public_bytes(serialization.Encoding.PEM)


def fingerprint(der: bytes) -> str:
    """Return the SHA-256 of a certificate in pairs of hex digits, as browsers print it."""
    return hashlib.sha256(der).digest().hex(":").upper()


def _address(host: str) -> x509.IPAddress | None:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return None
