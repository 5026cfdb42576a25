//! Destruction in flight, stale handles, owners, budgets, leaks.
use crate::common::*;
use pellucid_rhi::*;

const STORAGE: BufferRoles = BufferRoles::STORAGE.union(BufferRoles::COPY_SRC);

/// Everything a dispatch needs is destroyed while it is recorded or in flight, and it still runs.
#[test]
fn what_is_in_flight_outlives_its_handle() {
    on_vulkan(|device| {
        let before = device.live_objects();
        let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
        let layout = layout(device, ShaderStages::COMPUTE, &kinds);
        let pipeline = compute_pipeline(device, ("compute.slang", "scale"), &[layout], 0, 4);
        let input = buffer_with(device, &words(&[2; 64]), BufferRoles::STORAGE);
        let output = buffer(device, 256, STORAGE);
        let set = set(device, layout, &[BindingResource::buffer(input), BindingResource::buffer(output)]);
        device.destroy(layout).unwrap();
        device.destroy(input).unwrap();
        let readback = frame(device, |_, encoder| {
            let mut pass = encoder.compute_pass("scale");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.push_constants(&words(&[64]));
            pass.dispatch(1, 1, 1);
            pass.end();
            encoder.barriers(&[Barrier::buffer(
                output,
                Use::StorageWrite(ShaderStages::COMPUTE),
                Use::CopySrc,
            )]);
            let readback = encoder.read_buffer(output, 0, 256);
            device.destroy(pipeline).unwrap();
            device.destroy(set).unwrap();
            device.destroy(output).unwrap();
            device.poll().unwrap();
            readback
        });
        device.poll().unwrap();
        assert_eq!(read_u32(device, &readback), [6; 64]);
        drop(readback);
        device.wait_idle().unwrap();
        let after = device.live_objects();
        let rings_and_pools = after.native - before.native;
        assert_eq!(LiveObjects { native: before.native, ..after }, before);
        // A frame slot's rings, set and pools, an upload pool, staging, and a descriptor pool stay.
        assert!(rings_and_pools <= 13, "{rings_and_pools} native objects are left");
    });
}

#[test]
fn a_stale_handle_finds_nothing_even_when_its_slot_is_used_again() {
    everywhere(|device| {
        let old = buffer(device, 16, STORAGE);
        device.destroy(old).unwrap();
        let new = buffer(device, 16, STORAGE);
        assert_ne!(old, new);
        assert!(matches!(device.destroy(old), Err(StaleHandle { kind: ObjectKind::Buffer, .. })));
        let frame = begin(device);
        let mut encoder = frame.encoder("stale").unwrap();
        encoder.push_scope("outer");
        let refused = encoder.read_buffer(old, 0, 16);
        assert_eq!(refused.size, 0);
        let error = encoder.finish().unwrap_err();
        assert_eq!((&*error.encoder, &*error.scope, error.command), ("stale", "outer", 0));
        assert!(matches!(error.cause, RecordCause::Stale(_)), "{error}");
        drop(frame);
        device.destroy(new).unwrap();
        let other = null_device();
        let foreign = buffer(&other, 16, STORAGE);
        assert!(device.destroy(foreign).is_err());
        assert!(other.destroy(foreign).is_ok());
    });
}

#[test]
fn a_view_keeps_its_texture() {
    everywhere(|device| {
        let used = device.memory_stats().used;
        let roles = TextureRoles::SAMPLED;
        let desc = TextureDesc::d2("held", Format::Rgba8Unorm, 64, 64, roles);
        let texture = device.create_texture(&desc).unwrap();
        let view = view(device, texture);
        device.destroy(texture).unwrap();
        assert!(device.memory_stats().used > used, "the view still holds it");
        let layout = layout(device, ShaderStages::COMPUTE, &[BindingKind::Texture]);
        let set = set(device, layout, &[BindingResource::Texture(view)]);
        device.destroy(view).unwrap();
        assert!(device.memory_stats().used > used, "the set still holds it");
        device.destroy(set).unwrap();
        assert_eq!(device.memory_stats().used, used);
    });
}

#[test]
fn owners_destroy_unless_released() {
    let device = null_device();
    let owned = Owned::new(&device, buffer(&device, 16, STORAGE));
    assert_eq!(device.live_objects().buffers, 1);
    let handle = owned.release();
    assert_eq!(device.live_objects().buffers, 1);
    let again = Owned::new(&device, handle);
    assert_eq!(*again, again.get());
    drop(again);
    assert_eq!(device.live_objects().buffers, 0);
    assert!(device.destroy(handle).is_err());
}

#[test]
fn the_budget_refuses_before_anything_is_made() {
    let desc = DeviceDesc { budget_bytes: Some(1 << 20), ..DeviceDesc::default() };
    on_vulkan_with(&desc, |device| {
        let native = device.live_objects().native;
        let desc = BufferDesc { name: "too much", size: 2 << 20, roles: STORAGE };
        let refused = device.create_buffer(&desc);
        let Err(ResourceError::Budget { name, requested, used, limit, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!((name.as_str(), used, limit), ("too much", 0, 1 << 20));
        assert!(requested >= 2 << 20);
        let texture = TextureDesc::d2("too much", Format::Rgba32Float, 512, 512, TextureRoles::SAMPLED);
        assert!(matches!(device.create_texture(&texture), Err(ResourceError::Budget { .. })));
        assert_eq!(device.live_objects().native, native, "nothing was made");
        let half = BufferDesc { name: "half", size: 1 << 19, roles: STORAGE };
        let first = device.create_buffer(&half).unwrap();
        device.create_buffer(&half).unwrap();
        assert!(matches!(device.create_buffer(&half), Err(ResourceError::Budget { .. })));
        device.destroy(first).unwrap();
        device.create_buffer(&half).expect("what was destroyed is refunded");
        assert_eq!(device.memory_stats().peak, 1 << 20);
        // The rings don't fit either, and the frame says so.
        let target = FrameTarget::Offscreen { width: 1, height: 1 };
        let refused = device.begin_frame(target);
        assert!(matches!(refused, Err(FrameError::Resource(ResourceError::Budget { .. }))), "{refused:?}");
    });
}

#[test]
fn tables_are_bounded() {
    let device = null_device();
    let desc = SamplerDesc::linear("many", AddressMode::Clamp);
    let made: Vec<_> = (0..4096).map(|_| device.create_sampler(&desc).unwrap()).collect();
    let full = device.create_sampler(&desc);
    assert!(matches!(full, Err(ResourceError::Capacity { kind: ObjectKind::Sampler, limit: 4096 })));
    device.destroy(made[17]).unwrap();
    device.create_sampler(&desc).unwrap();
}

/// What the end of a device finds is destroyed in its name; the layer would report what is left.
#[test]
fn a_device_ends_whole_with_everything_alive() {
    on_vulkan(|device| {
        let roles = TextureRoles::SAMPLED | TextureRoles::COLOR_ATTACHMENT;
        target(device, Format::Rgba16Float, 1, roles);
        let layout = layout(device, ShaderStages::COMPUTE, &[BindingKind::StorageWrite]);
        let output = buffer_with(device, &[0; 256], STORAGE);
        set(device, layout, &[BindingResource::buffer(output)]);
        compute_pipeline(device, ("uniforms.slang", "computeMain"), &[layout], 2, 0);
        shader(device, "compute.slang", "scale", ShaderStages::COMPUTE);
        device.create_sampler(&SamplerDesc::linear("s", AddressMode::Clamp)).unwrap();
        frame(device, |_, encoder| encoder.barriers(&[]));
        buffer_with(device, &[0; 256], STORAGE);
    });
}

/// The wait's limit is nothing, so the first wait gives the device up while the GPU still works. Its memory is
/// kept; a later device takes it down when the GPU has finished; the layer sees nothing wrong.
#[test]
fn a_device_that_does_not_finish_in_time_is_kept_until_it_does() {
    on_instance(|instance| {
        let id = choose(instance);
        let none = std::time::Duration::ZERO;
        let device =
            instance.create_device(id, &DeviceDesc { fence_timeout: none, ..DeviceDesc::default() }).unwrap();
        let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
        let layout = layout(&device, ShaderStages::COMPUTE, &kinds);
        let pipeline = compute_pipeline(&device, ("compute.slang", "scale"), &[layout], 0, 4);
        let bytes = buffer(&device, 4 << 20, STORAGE);
        let set = set(&device, layout, &[BindingResource::buffer(bytes); 2]);
        let readback = frame(&device, |_, encoder| {
            let mut pass = encoder.compute_pass("long");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.push_constants(&words(&[1 << 20]));
            let written = Use::StorageWrite(ShaderStages::COMPUTE);
            for _ in 0..100 {
                pass.dispatch(16_384, 1, 1);
                pass.barriers(&[Barrier::buffer(bytes, written, written)]);
            }
            pass.end();
            encoder.barriers(&[Barrier::buffer(bytes, written, Use::CopySrc)]);
            encoder.read_buffer(bytes, 0, 4)
        });
        assert_eq!(device.wait_idle(), Err(FrameError::Timeout { limit: none }));
        assert_eq!(device.poll(), Err(FrameError::DeviceLost));
        assert_eq!(device.try_read(&readback, &mut [0; 4], 0), Err(ReadError::DeviceLost));
        drop((readback, device));
        // While the GPU works, a new device of the same process draws.
        let next = instance.create_device(id, &DeviceDesc::default()).unwrap();
        let source = buffer_with(&next, &words(&[4]), STORAGE);
        let readback = frame(&next, |_, encoder| encoder.read_buffer(source, 0, 4));
        assert_eq!(read_u32(&next, &readback), [4]);
        std::thread::sleep(std::time::Duration::from_secs(2));
        drop(instance.create_device(id, &DeviceDesc::default()).unwrap());
        drop((readback, next));
    });
}
