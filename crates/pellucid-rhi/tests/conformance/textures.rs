//! Initial bytes, mips, views, formats.
use crate::common::*;
use pellucid_rhi::*;

const SAMPLED: TextureRoles = TextureRoles::SAMPLED.union(TextureRoles::COPY_SRC);

/// Bytes of a mip of a 8x8 texture, each level of one colour.
fn level(mip: u32, pitch: u32) -> Vec<u8> {
    let edge = 8 >> mip;
    let mut bytes = vec![0xee; (pitch * edge) as usize];
    for y in 0..edge {
        for x in 0..edge {
            let at = (y * pitch + x * 4) as usize;
            bytes[at..at + 4].copy_from_slice(&[60 * (mip as u8 + 1), 10, 20, 255]);
        }
    }
    bytes
}

#[test]
fn every_level_is_sampled() {
    both_ways(|device| {
        let levels: Vec<Vec<u8>> = (0..4).map(|mip| level(mip, 40)).collect();
        let data: Vec<_> = (0..4u32)
            .map(|mip| TextureData { mip, layer: 0, row_pitch: 40, bytes: &levels[mip as usize] })
            .collect();
        let desc = TextureDesc { mips: 4, ..TextureDesc::d2("mips", Format::Rgba8Unorm, 8, 8, SAMPLED) };
        let texture = device.create_texture_init(&desc, &data).unwrap();
        let sampled = view(device, texture);
        let sampler = device.create_sampler(&SamplerDesc::linear("trilinear", AddressMode::Clamp)).unwrap();
        let kinds = [BindingKind::Texture, BindingKind::Sampler];
        let layout = layout(device, ShaderStages::FRAGMENT, &kinds);
        let resources = [BindingResource::Texture(sampled), BindingResource::Sampler(sampler)];
        let set = set(device, layout, &resources);
        let (target, target_view) =
            target(device, Format::Rgba8Unorm, 1, TextureRoles::COLOR_ATTACHMENT | TextureRoles::COPY_SRC);
        let pipeline = device
            .create_raster_pipeline(&RasterPipelineDesc {
                name: "sample",
                vertex: shader(device, "sample.slang", "vertexMain", ShaderStages::VERTEX),
                fragment: Some(shader(device, "sample.slang", "fragmentMain", ShaderStages::FRAGMENT)),
                layouts: &[layout],
                dynamic_uniforms: 0,
                push_constants: 0,
                vertex_buffers: &[],
                topology: Topology::TriangleList,
                cull: Cull::None,
                depth: None,
                samples: 1,
                color: &[ColorTarget::opaque(Format::Rgba8Unorm)],
            })
            .unwrap();
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(target, Use::Undefined, Use::ColorAttachment)]);
            let color = ColorAttachment {
                view: target_view,
                load: Load::DontCare,
                store: Store::Store,
                resolve: None,
            };
            let mut pass =
                encoder.raster_pass(&RasterPassDesc { name: "draw", color: &[color], depth: None });
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.draw(0..3, 0..1);
            pass.end();
            encoder.barriers(&[Barrier::texture(target, Use::ColorAttachment, Use::CopySrc)]);
            encoder.read_texture(target, 0, 0)
        });
        let bytes = read(device, &readback);
        for x in 0..64 {
            let mip = x.min(3) as u8;
            assert_eq!(bytes[x * 4..x * 4 + 4], [60 * (mip + 1), 10, 20, 255], "column {x}");
        }
        assert_eq!(device.texture_status(texture), Ok(TextureStatus::Ready));
    });
}

#[test]
fn the_first_mip_alone_leaves_the_rest_to_compute() {
    both_ways(|device| {
        let bytes: Vec<u8> = (0..16 * 16 * 4u32).map(|i| (i % 251) as u8).collect();
        let roles = SAMPLED | TextureRoles::STORAGE;
        let desc = TextureDesc { mips: 5, ..TextureDesc::d2("chain", Format::Rgba8Unorm, 16, 16, roles) };
        let data = [TextureData { mip: 0, layer: 0, row_pitch: 64, bytes: &bytes }];
        let texture = device.create_texture_init(&desc, &data).unwrap();
        let all = ShaderStages::all();
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[
                Barrier::range(texture, TextureRange::mip(0), Use::Sampled(all), Use::CopySrc),
                Barrier::range(
                    texture,
                    TextureRange::mip(1),
                    Use::Sampled(all),
                    Use::StorageWrite(ShaderStages::COMPUTE),
                ),
            ]);
            encoder.read_texture(texture, 0, 0)
        });
        assert_eq!(read(device, &readback), bytes);
    });
}

/// Larger than all staging memory: uploaded in pieces.
#[test]
fn a_texture_larger_than_staging() {
    let desc = DeviceDesc { staging_bytes: 1 << 20, host_writes: false, ..DeviceDesc::default() };
    on_vulkan_with(&desc, |device| {
        let (width, height) = (1000, 1000);
        let bytes: Vec<u8> =
            (0..width * height * 4u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let desc = TextureDesc::d2("large", Format::Rgba8Unorm, width, height, SAMPLED);
        let data = [TextureData { mip: 0, layer: 0, row_pitch: width * 4, bytes: &bytes }];
        let texture = device.create_texture_init(&desc, &data).unwrap();
        let buffer = buffer_with(device, &bytes, BufferRoles::COPY_SRC);
        let (image, copy) = frame(device, |_, encoder| {
            let sampled = Use::Sampled(ShaderStages::all());
            encoder.barriers(&[Barrier::texture(texture, sampled, Use::CopySrc)]);
            (encoder.read_texture(texture, 0, 0), encoder.read_buffer(buffer, 0, bytes.len() as u64))
        });
        assert!(read(device, &image) == bytes, "the texture came back different");
        assert!(read(device, &copy) == bytes, "the buffer came back different");
        let staging = device.memory_stats().staging;
        assert!(staging > 0 && staging <= 1 << 20, "{staging} bytes of staging");
    });
}

#[test]
fn layers_cubes_and_volumes_hold_their_own_bytes() {
    both_ways(|device| {
        let shapes = [(TextureDimension::D2, 3), (TextureDimension::Cube, 6)];
        for (dimension, layers) in shapes {
            let faces: Vec<Vec<u8>> = (0..layers).map(|layer| vec![layer as u8 * 9 + 1; 4 * 4 * 8]).collect();
            let data: Vec<_> = (0..layers)
                .map(|layer| TextureData { mip: 0, layer, row_pitch: 32, bytes: &faces[layer as usize] })
                .collect();
            let desc = TextureDesc {
                dimension,
                layers,
                ..TextureDesc::d2("layers", Format::Rgba16Float, 4, 4, SAMPLED)
            };
            let texture = device.create_texture_init(&desc, &data).unwrap();
            let readbacks: Vec<_> = frame(device, |_, encoder| {
                let sampled = Use::Sampled(ShaderStages::all());
                encoder.barriers(&[Barrier::texture(texture, sampled, Use::CopySrc)]);
                (0..layers).map(|layer| encoder.read_texture(texture, 0, layer)).collect()
            });
            for (face, readback) in faces.iter().zip(&readbacks) {
                assert_eq!(&read(device, readback), face);
            }
        }
        // A volume's slices are given at once.
        let slices: Vec<u8> = (0..4 * 4 * 4 * 4).map(|i| i as u8).collect();
        let desc = TextureDesc {
            dimension: TextureDimension::D3,
            layers: 4,
            ..TextureDesc::d2("volume", Format::Rgba8Unorm, 4, 4, TextureRoles::SAMPLED)
        };
        let data = [TextureData { mip: 0, layer: 0, row_pitch: 16, bytes: &slices }];
        let texture = device.create_texture_init(&desc, &data).unwrap();
        let kind = ViewKind::D3;
        let view = TextureViewDesc { name: "v", texture, kind, format: None, range: TextureRange::ALL };
        device.create_view(&view).unwrap();
        device.wait_idle().unwrap();
    });
}

/// Storage through the linear format of an sRGB texture, then sampling through its own.
#[test]
fn an_srgb_texture_is_written_through_its_view_format() {
    on_vulkan(|device| {
        let roles = TextureRoles::SAMPLED | TextureRoles::STORAGE | TextureRoles::COPY_SRC;
        let desc = TextureDesc {
            view_format: Some(Format::Rgba8Unorm),
            ..TextureDesc::d2("srgb", Format::Rgba8Srgb, 64, 64, roles)
        };
        let texture = device.create_texture(&desc).unwrap();
        let view = |format| {
            let (kind, range) = (ViewKind::D2, TextureRange::ALL);
            device.create_view(&TextureViewDesc { name: "v", texture, kind, format, range }).unwrap()
        };
        let (linear, own) = (view(Some(Format::Rgba8Unorm)), view(None));
        let compute = ShaderStages::COMPUTE;
        let none = layout(device, compute, &[]);
        let images = layout(device, compute, &[BindingKind::StorageTexture]);
        let pipeline = compute_pipeline(device, ("compute.slang", "paint"), &[none, images], 0, 0);
        let empty = set(device, none, &[]);
        let painted = set(device, images, &[BindingResource::Texture(linear)]);
        let refused = device.create_binding_set(&BindingSetDesc {
            name: "srgb storage",
            layout: images,
            entries: &[BindingEntry::new(0, BindingResource::Texture(own))],
        });
        assert!(matches!(refused, Err(ResourceError::Invalid { .. })), "{refused:?}");
        let sampled = layout(device, compute, &[BindingKind::Texture]);
        set(device, sampled, &[BindingResource::Texture(own)]);
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::StorageWrite(compute))]);
            let mut pass = encoder.compute_pass("paint");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, empty);
            pass.set_binding_set(1, painted);
            pass.dispatch(8, 8, 1);
            pass.end();
            encoder.barriers(&[Barrier::texture(texture, Use::StorageWrite(compute), Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        let bytes = read(device, &readback);
        assert_eq!(bytes[4 * (64 * 3 + 7)..][..4], [7, 3, 0, 255], "written without encoding");
    });
}

#[test]
fn format_support_is_what_the_portable_renderer_needs() {
    everywhere(|device| {
        let support = |format| device.format_support(format);
        for format in [Format::Rgba8Unorm, Format::Rgba8Srgb, Format::Rgba16Float] {
            let support = support(format);
            assert!(support.sampled && support.filterable && support.color && support.blend, "{format:?}");
            assert!(support.samples4 && !support.depth, "{format:?}");
        }
        assert!(support(Format::D32Float).depth && support(Format::D32Float).samples4);
        assert!(!support(Format::D32Float).color);
        assert!(!support(Format::Rgba8Srgb).storage && support(Format::Rgba16Float).storage);
        assert!(!support(Format::R32Uint).filterable);
    });
}

/// A staged texture is pending until its upload's submission is finished; a poll submits and sees it.
#[test]
fn a_staged_texture_is_pending_until_it_has_arrived() {
    let desc = DeviceDesc { host_writes: false, ..DeviceDesc::default() };
    on_vulkan_with(&desc, |device| {
        let bytes = level(0, 32);
        let desc = TextureDesc::d2("pending", Format::Rgba8Unorm, 8, 8, SAMPLED);
        let data = [TextureData { mip: 0, layer: 0, row_pitch: 32, bytes: &bytes }];
        let texture = device.create_texture_init(&desc, &data).unwrap();
        assert_eq!(device.texture_status(texture), Ok(TextureStatus::Pending));
        let start = std::time::Instant::now();
        while device.texture_status(texture) == Ok(TextureStatus::Pending) {
            assert!(start.elapsed() < A_MOMENT, "it never arrives");
            device.poll().unwrap();
        }
        device.destroy(texture).unwrap();
        assert!(device.texture_status(texture).is_err());
    });
}

#[test]
fn equal_samplers_share_one_native_object() {
    on_vulkan(|device| {
        let before = device.live_objects().native;
        let desc = SamplerDesc::linear("a", AddressMode::Repeat);
        let first = device.create_sampler(&desc).unwrap();
        let second = device.create_sampler(&SamplerDesc { name: "b", ..desc }).unwrap();
        assert_ne!(first, second);
        assert_eq!(device.live_objects().native, before + 1);
        device.destroy(first).unwrap();
        assert_eq!(device.live_objects().native, before + 1);
        device.destroy(second).unwrap();
        assert_eq!(device.live_objects().native, before);
    });
}
