//! Every native call fails once: the error is typed, nothing is leaked or corrupted, the device goes on.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]
#![expect(dead_code, reason = "the conformance suite uses more of the helpers")]

#[path = "conformance/common.rs"]
mod common;

use common::*;
use pellucid_rhi::*;
use std::error::Error;

const STORAGE: BufferRoles = BufferRoles::STORAGE.union(BufferRoles::COPY_SRC);

/// Makes one of everything, runs it, and reads a result back. Everything is destroyed again, also on failure.
fn scenario(device: &Device) -> Result<Vec<u8>, Box<dyn Error>> {
    let own = |handle| Owned::new(device, handle);
    let input = own(device.create_buffer_init(
        &BufferDesc { name: "input", size: 256, roles: BufferRoles::STORAGE },
        &words(&[5; 64]),
    )?);
    let output = own(device.create_buffer(&BufferDesc { name: "output", size: 256, roles: STORAGE })?);
    let roles = TextureRoles::SAMPLED | TextureRoles::COLOR_ATTACHMENT;
    let image = Owned::new(
        device,
        device.create_texture_init(
            &TextureDesc::d2("image", Format::Rgba8Unorm, 4, 4, roles),
            &[TextureData { mip: 0, layer: 0, row_pitch: 16, bytes: &[7; 64] }],
        )?,
    );
    let _view = Owned::new(
        device,
        device.create_view(&TextureViewDesc {
            name: "view",
            texture: *image,
            kind: ViewKind::D2,
            format: None,
            range: TextureRange::ALL,
        })?,
    );
    let sampler = SamplerDesc { lod: [0.0, 3.0], ..SamplerDesc::linear("sampler", AddressMode::Clamp) };
    let _sampler = Owned::new(device, device.create_sampler(&sampler)?);
    let stages = ShaderStages::COMPUTE;
    let slot = |binding, kind| BindingSlot { binding, kind, count: 1, stages };
    let slots = [slot(0, BindingKind::StorageRead), slot(1, BindingKind::StorageWrite)];
    let layout =
        Owned::new(device, device.create_binding_layout(&BindingLayoutDesc { name: "l", slots: &slots })?);
    let entries = [
        BindingEntry::new(0, BindingResource::buffer(*input)),
        BindingEntry::new(1, BindingResource::buffer(*output)),
    ];
    let desc = BindingSetDesc { name: "set", layout: *layout, entries: &entries };
    let set = Owned::new(device, device.create_binding_set(&desc)?);
    let code = |file, entry| spirv(file, entry);
    let make = |file, entry, stage| {
        let spirv = code(file, entry);
        device.create_shader(&ShaderDesc { name: entry, stage, entry, spirv: &spirv })
    };
    let scale = Owned::new(device, make("compute.slang", "scale", stages)?);
    let compute = Owned::new(
        device,
        device.create_compute_pipeline(&ComputePipelineDesc {
            name: "scale",
            shader: *scale,
            layouts: &[*layout],
            dynamic_uniforms: 0,
            push_constants: 4,
        })?,
    );
    let vertex = Owned::new(device, make("triangle.slang", "vertexMain", ShaderStages::VERTEX)?);
    let fragment = Owned::new(device, make("triangle.slang", "fragmentMain", ShaderStages::FRAGMENT)?);
    let attributes = [VertexAttribute { location: 0, format: VertexFormat::F32x2, offset: 0 }];
    let _raster = Owned::new(
        device,
        device.create_raster_pipeline(&RasterPipelineDesc {
            name: "triangle",
            vertex: *vertex,
            fragment: Some(*fragment),
            layouts: &[],
            dynamic_uniforms: 0,
            push_constants: 20,
            vertex_buffers: &[VertexBufferLayout { stride: 8, per_instance: false, attributes: &attributes }],
            topology: Topology::TriangleList,
            cull: Cull::None,
            depth: None,
            samples: 1,
            color: &[ColorTarget::opaque(Format::Rgba8Unorm)],
        })?,
    );
    let mut bytes = vec![0; 256];
    // More frames than slots, so that pools are used again.
    for _ in 0..3 {
        let frame = match device.begin_frame(FrameTarget::Offscreen { width: 4, height: 4 })? {
            FrameStatus::Ready(frame) => frame,
            FrameStatus::Skipped(reason) => panic!("{reason:?}"),
        };
        let mut encoder = frame.encoder("scenario")?;
        encoder.barriers(&[Barrier::buffer(*output, Use::Undefined, Use::StorageWrite(stages))]);
        let mut pass = encoder.compute_pass("scale");
        pass.set_pipeline(*compute);
        pass.set_binding_set(0, *set);
        pass.push_constants(&words(&[64]));
        pass.dispatch(1, 1, 1);
        pass.end();
        encoder.barriers(&[Barrier::buffer(*output, Use::StorageWrite(stages), Use::CopySrc)]);
        let readback = encoder.read_buffer(*output, 0, 256);
        let commands = encoder.finish()?;
        frame.submit([commands])?;
        device.wait_read(&readback, &mut bytes, 0)?;
    }
    device.wait_idle()?;
    Ok(bytes)
}

/// Each visit of each site fails once, on a device of its own; the layer reports what a failure leaves behind.
#[test]
fn every_call_may_fail_once() {
    on_instance(|instance| {
        let id = choose(instance);
        // Made with the device only, when it goes, or only where the host writes.
        let elsewhere = [Site::CreateTimeline, Site::CreatePipelineCache, Site::WaitIdle, Site::HostCopy];
        for site in Site::ALL.into_iter().filter(|site| !elsewhere.contains(site)) {
            let mut skip = 0;
            loop {
                let desc = DeviceDesc { host_writes: false, ..DeviceDesc::default() };
                let device = instance.create_device(id, &desc).unwrap();
                let before = device.site_visits(site);
                let error = NativeError::OutOfMemory { call: "planned", host: false };
                device.set_fault_plan(Some(FaultPlan { site, skip, count: 1, error }));
                let result = scenario(&device);
                if device.site_visits(site) - before <= skip {
                    break;
                }
                let error = result.expect_err("a failure was swallowed");
                assert!(error.to_string().contains("out of device memory"), "{site:?}: {error}");
                device.wait_idle().unwrap();
                let live = device.live_objects();
                assert_eq!(LiveObjects { native: live.native, ..LiveObjects::default() }, live, "{site:?}");
                assert_eq!(
                    scenario(&device).expect("the device goes on"),
                    words(&[15; 64]),
                    "after {site:?}"
                );
                skip += 1;
            }
            assert!(skip > 0, "the scenario does not visit {site:?}");
        }
    });
}

#[test]
fn after_a_loss_every_call_says_so_and_a_new_device_draws() {
    on_instance(|instance| {
        let id = choose(instance);
        let device = instance.create_device(id, &DeviceDesc::default()).unwrap();
        let buffer = buffer(&device, 256, STORAGE);
        let readback = frame(&device, |_, encoder| encoder.read_buffer(buffer, 0, 256));
        let error = NativeError::DeviceLost { call: "planned" };
        device.set_fault_plan(Some(FaultPlan { site: Site::Submit, skip: 0, count: 1, error }));
        let lost = begin(&device).submit([]);
        assert_eq!(lost, Err(FrameError::DeviceLost));
        let target = FrameTarget::Offscreen { width: 1, height: 1 };
        assert_eq!(device.begin_frame(target).unwrap_err(), FrameError::DeviceLost);
        assert_eq!(device.poll(), Err(FrameError::DeviceLost));
        assert_eq!(device.wait_idle(), Err(FrameError::DeviceLost));
        let desc = BufferDesc { name: "b", size: 4, roles: STORAGE };
        assert_eq!(device.create_buffer(&desc), Err(ResourceError::DeviceLost));
        let mut out = [0xcd; 256];
        assert_eq!(device.try_read(&readback, &mut out, 0), Err(ReadError::DeviceLost));
        assert_eq!(out, [0xcd; 256]);

        let next = instance.create_device(id, &DeviceDesc::default()).unwrap();
        assert!(next.destroy(buffer).is_err(), "a handle of the lost device is stale here");
        assert_eq!(scenario(&next).unwrap(), words(&[15; 64]));
        drop((readback, device, next));
    });
}

#[test]
fn a_device_that_is_half_made_is_taken_down() {
    // Sites of the device's own making can't be planned before there is one; the null device has the others.
    let device = null_device();
    for site in [Site::CreateBuffer, Site::CreateTexture, Site::CreateSampler, Site::Submit] {
        let error = NativeError::Failed { call: "planned", reason: "test".to_owned() };
        device.set_fault_plan(Some(FaultPlan { site, skip: 0, count: 1, error }));
        assert!(scenario(&device).is_err(), "{site:?}");
        scenario(&device).unwrap();
    }
}
