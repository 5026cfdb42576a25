//! Instances, admission, the validation layer itself, the pipeline cache.
use crate::common::*;
use pellucid_rhi::*;

/// Silence of the layer is worth something only if it speaks when it should.
#[test]
fn the_validation_layer_listens() {
    let instance = vulkan_instance();
    let device = instance.create_device(choose(&instance), &DeviceDesc::default()).unwrap();
    assert_eq!(instance.validation_messages().total(), 0);
    device.provoke_validation();
    let messages = instance.validation_messages();
    assert_eq!(messages.errors, 1, "{messages:?}");
    assert!(messages.texts[0].contains("vkResetFences"), "{messages:?}");
}

/// The same for synchronization validation: a planted hazard between two writes of one buffer.
#[test]
fn synchronization_validation_listens() {
    let instance = vulkan_instance();
    let device = instance.create_device(choose(&instance), &DeviceDesc::default()).unwrap();
    let target = buffer(&device, 64, BufferRoles::COPY_DST);
    frame(&device, |_, encoder| {
        encoder.update_buffer(target, 0, &words(&[1; 16]));
        encoder.update_buffer(target, 0, &words(&[2; 16]));
    });
    device.wait_idle().unwrap();
    let messages = instance.validation_messages();
    assert!(messages.total() > 0, "the hazard was not seen");
    assert!(
        messages.texts[0].contains("WRITE_AFTER_WRITE") || messages.texts[0].contains("WRITE-AFTER-WRITE")
    );
}

#[test]
fn adapters_say_what_they_are_and_why_not() {
    on_instance(|instance| {
        for adapter in instance.adapters() {
            assert!(!adapter.name.is_empty() && !adapter.driver.is_empty());
            assert!(adapter.api_version.starts_with("Vulkan 1."), "{}", adapter.api_version);
            assert_eq!(adapter.profiles.len(), Profile::ALL.len());
            assert!(adapter.features.granted.iter().any(|text| text.starts_with("dynamicRendering: ")));
            for profile in [Profile::Bindless, Profile::RayQuery, Profile::Hdr10] {
                assert!(!adapter.supports(profile));
                assert!(!adapter.missing(profile).is_empty(), "{profile:?} has a reason");
            }
        }
        let adapter = &instance.adapters()[choose(instance).index() as usize];
        assert!(adapter.supports(Profile::PortableRaster), "{:?}", adapter.missing(Profile::PortableRaster));
        assert!(adapter.supports(Profile::Compute), "{:?}", adapter.missing(Profile::Compute));
    });
}

#[test]
fn devices_are_refused_with_a_reason() {
    let desc = InstanceDesc { backend: BackendChoice::Null, ..InstanceDesc::default() };
    let null = Instance::new(&desc).unwrap();
    for instance in [null, vulkan_instance()] {
        let id = if instance.adapters().len() == 1 { instance.adapters()[0].id } else { choose(&instance) };
        let required: &[Profile] = &[Profile::Compute, Profile::Bindless];
        let desc = DeviceDesc { required, ..DeviceDesc::default() };
        let refused = instance.create_device(id, &desc).unwrap_err();
        let DeviceError::Profiles { unmet, .. } = &refused else { panic!("{refused}") };
        assert_eq!(unmet.len(), 1);
        assert_eq!(unmet[0].profile, Profile::Bindless);
        assert!(refused.to_string().contains(&unmet[0].missing[0]), "{refused}");
        let fields: [(&str, DeviceDesc<'_>); 4] = [
            ("frame_slots", DeviceDesc { frame_slots: 4, ..DeviceDesc::default() }),
            ("frame_slots", DeviceDesc { frame_slots: 0, ..DeviceDesc::default() }),
            ("staging_bytes", DeviceDesc { staging_bytes: 1, ..DeviceDesc::default() }),
            ("uniform_ring_bytes", DeviceDesc { uniform_ring_bytes: 0, ..DeviceDesc::default() }),
        ];
        for (expected, desc) in fields {
            let refused = instance.create_device(id, &desc);
            assert!(matches!(refused, Err(DeviceError::Invalid { field, .. }) if field == expected));
        }
    }
}

#[test]
fn the_pipeline_cache_survives_damage() {
    let folder = tempfile::tempdir().unwrap();
    let file = || std::fs::read_dir(folder.path()).unwrap().next().map(|entry| entry.unwrap().path());
    let desc = DeviceDesc { pipeline_cache: Some(folder.path()), ..DeviceDesc::default() };
    let run = || {
        on_vulkan_with(&desc, |device| {
            let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
            let layout = layout(device, ShaderStages::COMPUTE, &kinds);
            compute_pipeline(device, ("compute.slang", "scale"), &[layout], 0, 4);
            device.save_pipeline_cache().unwrap();
        });
    };
    assert_eq!(file(), None);
    run();
    let path = file().expect("a cache file");
    let good = std::fs::read(&path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("vulkan-"), "{name}");
    for bytes in [&good[..good.len() - 1], b"", b"garbage that is longer than the header, and more"] {
        std::fs::write(&path, bytes).unwrap();
        run();
        assert_eq!(std::fs::read(&path).unwrap().len(), good.len(), "a good file again");
    }
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &flipped).unwrap();
    run();
    assert_ne!(std::fs::read(&path).unwrap(), flipped);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

/// What a newer core holds comes by extension on an older device, as under a capture layer that lowers the
/// version: the same commands, the same result.
#[test]
fn an_older_device_is_served_by_extensions() {
    for (version, extension) in [((1, 1), "VK_KHR_timeline_semaphore"), ((1, 2), "VK_KHR_dynamic_rendering")]
    {
        let (app_name, backend) = ("conformance", BackendChoice::Vulkan);
        let desc = InstanceDesc { app_name, backend, validation: true };
        let instance = Instance::as_if(&desc, version).unwrap();
        let id = choose(&instance);
        let adapter = &instance.adapters()[id.index() as usize];
        assert!(adapter.supports(Profile::PortableRaster), "{:?}", adapter.missing(Profile::PortableRaster));
        assert!(adapter.features.granted.iter().any(|text| text.ends_with(extension)), "{adapter:#?}");
        let device = instance.create_device(id, &DeviceDesc::default()).unwrap();
        let roles = TextureRoles::COLOR_ATTACHMENT | TextureRoles::COPY_SRC;
        let (texture, view) = target(&device, Format::Rgba8Unorm, 1, roles);
        let readback = frame(&device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::ColorAttachment)]);
            let (load, store) = (Load::Clear([0.0, 1.0, 0.0, 1.0]), Store::Store);
            let color = [ColorAttachment { view, load, store, resolve: None }];
            encoder.raster_pass(&RasterPassDesc { name: "clear", color: &color, depth: None }).end();
            encoder.barriers(&[Barrier::texture(texture, Use::ColorAttachment, Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        assert!(read(&device, &readback).chunks(4).all(|texel| texel == [0, 255, 0, 255]));
        drop((readback, device));
        assert_eq!(instance.validation_messages(), ValidationMessages::default());
    }
    // Nothing serves a device of 1.0.
    let desc = InstanceDesc { backend: BackendChoice::Vulkan, ..InstanceDesc::default() };
    let instance = Instance::as_if(&desc, (1, 0)).unwrap();
    let missing = instance.adapters()[0].missing(Profile::PortableRaster);
    assert!(missing.contains(&"Vulkan 1.1".to_owned()), "{missing:?}");
    assert!(missing.iter().any(|text| text.contains("dynamicRendering")), "{missing:?}");
}

/// Two devices of one instance are strangers to each other.
#[test]
fn devices_do_not_mix() {
    on_instance(|instance| {
        let id = choose(instance);
        let one = instance.create_device(id, &DeviceDesc::default()).unwrap();
        let two = instance.create_device(id, &DeviceDesc::default()).unwrap();
        let theirs = buffer(&two, 64, BufferRoles::COPY_SRC | BufferRoles::COPY_DST);
        let frame = begin(&one);
        let mut encoder = frame.encoder("foreign").unwrap();
        encoder.update_buffer(theirs, 0, &words(&[1]));
        assert!(matches!(encoder.finish().unwrap_err().cause, RecordCause::Stale(_)));
        let commands = frame.encoder("one's").unwrap().finish().unwrap();
        let other = begin(&two);
        assert!(matches!(other.submit([commands]), Err(FrameError::ForeignCommandBuffer { .. })));
        drop(frame);
        drop((one, two));
    });
}
