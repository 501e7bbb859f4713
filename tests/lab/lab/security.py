"""Kafka over SASL, TLS, both, and client certificates; REST over https: certificates, users and settings.

Everything lies in the cluster's directory and is worth nothing outside it.
"""

import base64
import json
import pathlib
import secrets
import shutil
import subprocess
import time

from .jars import Missing

PASSWORD = "laboratory"  # of the key stores
PREFIX = "org.apache.kafka.common.security"
# Who may do everything, and who is known but may do nothing.
USERS = {"alice": "PLAIN", "bob": "SCRAM-SHA-256", "carol": "SCRAM-SHA-512", "mallory": "PLAIN"}
MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"]
PROTOCOLS = {"sasl": "SASL_PLAINTEXT", "tls": "SSL", "mtls": "SSL", "sasl-tls": "SASL_SSL"}
HTTPS = "listeners.https.ssl"


class Secrets:
    """The certificates and passwords of one cluster."""

    def __init__(self, directory):
        if not shutil.which("openssl"):
            raise Missing("openssl is missing: install it (Debian: openssl)")
        self.at = pathlib.Path(directory) / "secrets"
        self.at.mkdir()
        self.authority("ca")
        self.authority("other-ca")
        self.certificate("server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        self.certificate("client", "extendedKeyUsage=clientAuth")
        parts = [(self.at / each).read_text() for each in ("server.key", "server.crt", "ca.pem")]
        (self.at / "server.pem").write_text("".join(parts))
        self.passwords = {user: secrets.token_urlsafe(12) for user in USERS}
        for user, password in self.passwords.items():
            (self.at / f"{user}.password").write_text(password)
        (self.at / "oscar.token").write_text(token("oscar"))

    def openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.at, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise RuntimeError(f"openssl {arguments[0]}: {done.stdout}")

    def key(self, name):
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", f"{name}.key")

    def authority(self, name):
        self.key(name)
        self.openssl("req", "-x509", "-key", f"{name}.key", "-days", "30", "-subj", f"/CN=lab-{name}", "-out", f"{name}.pem")

    def certificate(self, name, extension):
        """A key and a certificate of the authority `ca`."""
        self.key(name)
        (self.at / f"{name}.ext").write_text(extension + "\n")
        self.openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN=lab-{name}", "-out", f"{name}.csr")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
                     "-extfile", f"{name}.ext", "-out", f"{name}.crt")

    def stores(self):
        """Key and trust store for REST, which takes no PEM."""
        self.openssl("pkcs12", "-export", "-in", "server.crt", "-inkey", "server.key", "-certfile", "ca.pem", "-name", "server",
                     "-passout", f"pass:{PASSWORD}", "-out", "server.p12")
        command = ["keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem", "-keystore", "trust.p12",
                   "-storetype", "PKCS12", "-storepass", PASSWORD]
        subprocess.run(command, cwd=self.at, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def of_broker(self, ports):
        """The broker's settings for a listener of each kind, with these ports."""
        listeners = {name: f"127.0.0.1:{port}" for name, port in zip(PROTOCOLS, ports)}
        settings = {
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": self.at / "server.pem",
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": self.at / "ca.pem",
            "listener.name.mtls.ssl.client.auth": "required",
            "sasl.enabled.mechanisms": ",".join(MECHANISMS),
            "inter.broker.listener.name": "PLAINTEXT",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            # Without SASL and certificate one is ANONYMOUS: workers and controller are.
            "super.users": ";".join(f"User:{each}" for each in ["ANONYMOUS", "alice", "bob", "carol", "oscar", "CN=lab-client"]),
        }
        plain = "".join(f' user_{user}="{self.passwords[user]}"' for user, how in USERS.items() if how == "PLAIN")
        modules = {
            "plain": f"{PREFIX}.plain.PlainLoginModule required{plain};",
            "scram-sha-256": f"{PREFIX}.scram.ScramLoginModule required;",
            "scram-sha-512": f"{PREFIX}.scram.ScramLoginModule required;",
            "oauthbearer": f'{PREFIX}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
        }
        for listener in ("sasl", "sasl-tls"):
            for mechanism, module in modules.items():
                settings[f"listener.name.{listener}.{mechanism}.sasl.jaas.config"] = module
        return listeners, settings

    def of_format(self):
        """The arguments of the storage tool that make the SCRAM users."""
        scram = [(user, how) for user, how in USERS.items() if how.startswith("SCRAM")]
        return [each for user, how in scram for each in ("--add-scram", f"{how}=[name={user},password={self.passwords[user]}]")]

    def of_rest(self):
        """A worker's settings for REST over https."""
        return {
            "rest.advertised.listener": "https",
            f"{HTTPS}.keystore.type": "PKCS12",
            f"{HTTPS}.keystore.location": self.at / "server.p12",
            f"{HTTPS}.keystore.password": PASSWORD,
            f"{HTTPS}.key.password": PASSWORD,
            f"{HTTPS}.truststore.type": "PKCS12",
            f"{HTTPS}.truststore.location": self.at / "trust.p12",
            f"{HTTPS}.truststore.password": PASSWORD,
        }

    def about(self, listeners):
        """Where a client finds what it needs."""
        return {
            "listeners": listeners,
            "ca": str(self.at / "ca.pem"),
            "other_ca": str(self.at / "other-ca.pem"),
            "client_certificate": str(self.at / "client.crt"),
            "client_key": str(self.at / "client.key"),
            "users": {user: {"mechanism": how, "password_file": str(self.at / f"{user}.password")} for user, how in USERS.items()},
            "token_file": str(self.at / "oscar.token"),
        }


def token(subject):
    """An unsigned token, as Kafka's own handler for development takes it; good for thirty days."""
    now = int(time.time())
    parts = [{"alg": "none"}, {"sub": subject, "iat": now - 60, "exp": now + 30 * 86400, "scope": []}]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, ""])
