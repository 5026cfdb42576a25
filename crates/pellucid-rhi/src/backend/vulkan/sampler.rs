//! Samplers.
use super::conv;
use super::device::Device;
use super::native::Kind;
use crate::NativeError;
use crate::desc::SamplerDesc;
use crate::fault::Site;
use crate::name::Name;
use ash::vk;

/// A sampler.
pub(crate) struct Sampler {
    pub(super) raw: vk::Sampler,
}

impl Device {
    pub(crate) fn create_sampler(&self, desc: &SamplerDesc<'_>) -> Result<Sampler, NativeError> {
        let [u, v, w] = desc.address.map(conv::address);
        let [low, high] = desc.lod;
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(conv::filter(desc.mag))
            .min_filter(conv::filter(desc.min))
            .mipmap_mode(conv::mip_filter(desc.mip))
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .anisotropy_enable(desc.max_anisotropy > 1)
            .max_anisotropy(desc.max_anisotropy as f32)
            .compare_enable(desc.compare.is_some())
            .compare_op(desc.compare.map_or(vk::CompareOp::ALWAYS, conv::compare))
            .min_lod(low)
            .max_lod(high);
        let raw = self.native.create(Site::CreateSampler, Kind::Sampler, "vkCreateSampler", |device| {
            // SAFETY: the structure is whole; the facade has checked and cut the numbers.
            unsafe { device.create_sampler(&info, None) }
        })?;
        self.set_name(raw, &Name::new(desc.name));
        Ok(Sampler { raw })
    }

    pub(crate) fn destroy_sampler(&self, sampler: Sampler) {
        // SAFETY: this device made it, and neither host nor GPU uses it any more.
        unsafe { self.native.device.destroy_sampler(sampler.raw, None) };
        self.native.gone(Kind::Sampler);
    }
}
