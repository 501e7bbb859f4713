//! How a connection begins: versions, then authentication.

use super::super::api::{Api, Request};
use super::super::codec::{Malformed, Reader, Writer};

/// Which versions does the broker understand?
pub(in super::super) struct ApiVersions;

/// The versions of one kind of request.
pub(in super::super) struct VersionsOf {
    pub(in super::super) key: i16,
    pub(in super::super) min: i16,
    pub(in super::super) max: i16,
}

impl Request for ApiVersions {
    const API: Api = Api::ApiVersions;
    type Answer = (i16, Vec<VersionsOf>);

    fn write(&self, _version: i16, _to: &mut Writer) {}

    fn read(_version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        let error = from.int16()?;
        let versions =
            from.array(|from| Ok(VersionsOf { key: from.int16()?, min: from.int16()?, max: from.int16()? }))?;
        Ok((error, versions))
    }
}

/// Will the broker take this mechanism?
pub(in super::super) struct SaslHandshake<'a> {
    pub(in super::super) mechanism: &'a str,
}

impl Request for SaslHandshake<'_> {
    const API: Api = Api::SaslHandshake;
    /// The error code, and the mechanisms that the broker offers.
    type Answer = (i16, Vec<String>);

    fn write(&self, _version: i16, to: &mut Writer) {
        to.text(self.mechanism);
    }

    fn read(_version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        Ok((from.int16()?, from.array(Reader::text)?))
    }
}

/// One message of the mechanism.
pub(in super::super) struct SaslAuthenticate {
    pub(in super::super) message: Vec<u8>,
}

impl Request for SaslAuthenticate {
    const API: Api = Api::SaslAuthenticate;
    /// The error code, the broker's words about it, its own message.
    type Answer = (i16, Option<String>, Vec<u8>);

    fn write(&self, _version: i16, to: &mut Writer) {
        to.bytes(&self.message);
        to.tags();
    }

    fn read(version: i16, from: &mut Reader<'_>) -> Result<Self::Answer, Malformed> {
        let answer = (from.int16()?, from.text_or_null()?, from.bytes()?);
        if version >= 1 {
            // How long the session may last: when it is over the broker closes the
            // connection, and the next request opens another.
            from.int64()?;
        }
        from.tags()?;
        Ok(answer)
    }
}
