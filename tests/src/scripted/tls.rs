//! TLS before a worker's REST port.

use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

use super::Tls;
use crate::root;

/// A file of the certificates that the scripted workers use.
pub fn certificate(name: &str) -> PathBuf {
    root().join("tests/scenarios/observe/certificates").join(name)
}

/// Shakes hands with whoever has connected.
pub(super) fn accept(tls: &Tls, socket: TcpStream) -> Option<StreamOwned<ServerConnection, TcpStream>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions().ok()?;
    let builder = if tls.wants_certificate {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(certificate("ca.pem")).ok()?).ok()?;
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().ok()?;
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let chain = CertificateDer::from_pem_file(certificate(&format!("{}.pem", tls.certificate))).ok()?;
    let key = PrivateKeyDer::from_pem_file(certificate(&format!("{}.key", tls.certificate))).ok()?;
    let config = builder.with_single_cert(vec![chain], key).ok()?;
    Some(StreamOwned::new(ServerConnection::new(Arc::new(config)).ok()?, socket))
}
