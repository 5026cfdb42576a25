//! Which adapter serves a request: a pure function, tested without hardware.
use crate::{AdapterId, AdapterInfo, AdapterKind, Profile, SelectError, UnmetProfile};

/// What an adapter is wanted for.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdapterRequest<'a> {
    /// Part of the adapter's name in any case, or `software` for a software adapter.
    pub name: Option<&'a str>,
    /// Whether it is to draw into a window.
    pub windowed: bool,
    /// Whether a window may be drawn by a software adapter.
    pub allow_software_window: bool,
    /// Profiles that it has to serve.
    pub required: &'a [Profile],
}

/// Hardware before software, the most capable kind first, the list's order among equals.
const fn rank(kind: AdapterKind) -> u8 {
    match kind {
        AdapterKind::Discrete => 0,
        AdapterKind::Integrated => 1,
        AdapterKind::Virtual => 2,
        AdapterKind::Other => 3,
        AdapterKind::Software => 4,
    }
}

fn is_named(adapter: &AdapterInfo, name: &str) -> bool {
    if name.eq_ignore_ascii_case("software") {
        return adapter.kind == AdapterKind::Software;
    }
    adapter.name.to_lowercase().contains(&name.to_lowercase())
}

/// The profiles of `required` that `adapter` does not serve.
pub(crate) fn unmet(adapter: &AdapterInfo, required: &[Profile]) -> Vec<UnmetProfile> {
    let unmet = required.iter().filter(|&&profile| !adapter.supports(profile));
    unmet.map(|&profile| UnmetProfile { profile, missing: adapter.missing(profile).to_vec() }).collect()
}

/// Chooses the adapter for a request.
///
/// Hardware comes first (discrete, integrated, virtual, other); a software adapter only when nothing else
/// serves the request, and for a window only when that is allowed explicitly. Equals keep the list's order.
///
/// # Errors
/// The list is empty, no adapter has the name, only a software adapter is left for a window that doesn't
/// allow it, or no adapter serves the profiles (with the best candidate's reasons).
pub fn select_adapter(
    adapters: &[AdapterInfo],
    request: &AdapterRequest<'_>,
) -> Result<AdapterId, SelectError> {
    if adapters.is_empty() {
        return Err(SelectError::NoAdapters);
    }
    let named = |adapter: &&AdapterInfo| request.name.is_none_or(|name| is_named(adapter, name));
    let mut candidates: Vec<&AdapterInfo> = adapters.iter().filter(named).collect();
    candidates.sort_by_key(|adapter| rank(adapter.kind));
    let Some(&best) = candidates.first() else {
        return Err(SelectError::NotFound {
            name: request.name.unwrap_or_default().to_owned(),
            available: adapters.iter().map(|adapter| adapter.name.clone()).collect(),
        });
    };

    let refused = |adapter: &&&AdapterInfo| {
        request.windowed && !request.allow_software_window && adapter.kind == AdapterKind::Software
    };
    let mut served = candidates.iter().filter(|adapter| unmet(adapter, request.required).is_empty());
    let first = served.clone().find(|adapter| !refused(adapter));
    match (first, served.next()) {
        (Some(adapter), _) => Ok(adapter.id),
        (None, Some(software)) => Err(SelectError::SoftwareWindow { name: software.name.clone() }),
        (None, None) => {
            Err(SelectError::Profiles { adapter: best.name.clone(), unmet: unmet(best, request.required) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AdapterFeatures, Limits, ProfileStatus, ProfileSupport};

    fn adapter(id: u32, name: &str, kind: AdapterKind, served: &[Profile]) -> AdapterInfo {
        let status = |profile: Profile| ProfileStatus {
            profile,
            support: if served.contains(&profile) {
                ProfileSupport::Supported
            } else {
                ProfileSupport::Missing(vec![format!("feature of {name}")])
            },
        };
        AdapterInfo {
            id: AdapterId(id),
            name: name.to_owned(),
            vendor: 0,
            device: 0,
            kind,
            driver: String::new(),
            api_version: String::new(),
            limits: Limits::default(),
            features: AdapterFeatures::default(),
            profiles: Profile::ALL.map(status).to_vec(),
        }
    }

    const BASE: &[Profile] = &[Profile::PortableRaster, Profile::Compute];
    const RAYS: &[Profile] = &[Profile::PortableRaster, Profile::Compute, Profile::RayQuery];

    fn machine() -> Vec<AdapterInfo> {
        vec![
            adapter(0, "llvmpipe (LLVM 15)", AdapterKind::Software, RAYS),
            adapter(1, "Iris Xe", AdapterKind::Integrated, BASE),
            adapter(2, "GeForce A", AdapterKind::Discrete, BASE),
            adapter(3, "GeForce B", AdapterKind::Discrete, RAYS),
        ]
    }

    fn pick(adapters: &[AdapterInfo], request: AdapterRequest<'_>) -> Result<u32, SelectError> {
        select_adapter(adapters, &request).map(AdapterId::index)
    }

    #[test]
    fn hardware_by_performance_then_by_the_lists_order() {
        let all = machine();
        let none = AdapterRequest::default();
        assert_eq!(pick(&all, none), Ok(2));
        assert_eq!(pick(&all[..2], none), Ok(1));
        assert_eq!(pick(&all[..1], none), Ok(0));
        assert_eq!(pick(&[], none), Err(SelectError::NoAdapters));
    }

    #[test]
    fn a_name_in_any_case_or_software() {
        let all = machine();
        let named = |name| AdapterRequest { name: Some(name), ..Default::default() };
        assert_eq!(pick(&all, named("geforce b")), Ok(3));
        assert_eq!(pick(&all, named("geforce")), Ok(2));
        assert_eq!(pick(&all, named("IRIS")), Ok(1));
        assert_eq!(pick(&all, named("software")), Ok(0));
        assert_eq!(pick(&all, named("Software")), Ok(0));
        assert!(matches!(pick(&all[1..], named("software")), Err(SelectError::NotFound { available, .. })
            if available.len() == 3));
    }

    #[test]
    fn required_profiles_pass_over_faster_adapters() {
        let all = machine();
        let rays = AdapterRequest { required: RAYS, ..Default::default() };
        assert_eq!(pick(&all, rays), Ok(3));
        assert_eq!(pick(&all[..3], rays), Ok(0));
        let Err(SelectError::Profiles { adapter, unmet }) = pick(&all[1..3], rays) else {
            panic!("nothing serves ray queries there")
        };
        assert_eq!(adapter, "GeForce A");
        assert_eq!(unmet.len(), 1);
        assert_eq!(unmet[0].missing, ["feature of GeForce A"]);
    }

    #[test]
    fn a_window_takes_software_only_by_opt_in() {
        let all = machine();
        let window = AdapterRequest { windowed: true, ..Default::default() };
        assert_eq!(pick(&all, window), Ok(2));
        assert!(matches!(pick(&all[..1], window), Err(SelectError::SoftwareWindow { .. })));
        let named = AdapterRequest { name: Some("software"), ..window };
        assert!(matches!(pick(&all, named), Err(SelectError::SoftwareWindow { .. })));
        let allowed = AdapterRequest { allow_software_window: true, ..named };
        assert_eq!(pick(&all, allowed), Ok(0));
        // Hardware lacks ray queries, so only the software adapter would do.
        let rays = AdapterRequest { required: RAYS, ..window };
        assert!(matches!(pick(&all[..3], rays), Err(SelectError::SoftwareWindow { .. })));
    }
}
