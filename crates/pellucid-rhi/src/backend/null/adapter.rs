//! The one adapter of the null backend: what every portable device has.
use crate::{
    AdapterFeatures, AdapterId, AdapterInfo, AdapterKind, Limits, Profile, ProfileStatus, ProfileSupport,
};

pub(crate) fn adapter() -> AdapterInfo {
    let support = |profile| match profile {
        Profile::PortableRaster | Profile::Compute => ProfileSupport::Supported,
        _ => ProfileSupport::Missing(vec!["the null backend has no such hardware".to_owned()]),
    };
    AdapterInfo {
        id: AdapterId(0),
        name: "null".to_owned(),
        vendor: 0,
        device: 0,
        kind: AdapterKind::Other,
        driver: concat!("pellucid null ", env!("CARGO_PKG_VERSION")).to_owned(),
        api_version: "null".to_owned(),
        limits: Limits {
            texture_2d: 16_384,
            texture_3d: 2_048,
            texture_layers: 2_048,
            bound_sets: 5,
            push_constants: 128,
            uniform_range: 65_536,
            storage_range: 1 << 27,
            samplers: 2_048,
            anisotropy: 16.0,
            group_invocations: 256,
            group_size: [256, 256, 64],
            groups: [65_535; 3],
            device_memory: 4 << 30,
            timestamp_period: 0.0,
        },
        features: AdapterFeatures { anisotropy: true, ..AdapterFeatures::default() },
        profiles: Profile::ALL.map(|profile| ProfileStatus { profile, support: support(profile) }).to_vec(),
    }
}
