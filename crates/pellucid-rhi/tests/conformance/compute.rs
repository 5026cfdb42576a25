//! Compute: storage buffers and textures, uniforms, indirect dispatch, robust access.
use crate::common::*;
use pellucid_rhi::*;

const STORAGE: BufferRoles = BufferRoles::STORAGE.union(BufferRoles::COPY_SRC);
const COMPUTE: ShaderStages = ShaderStages::COMPUTE;

struct Scale {
    pipeline: ComputePipeline,
    set: BindingSet,
    output: Buffer,
}

/// `scale` of `compute.slang`: three times the input.
fn scale(device: &Device, input: &[u32], outputs: u64) -> Scale {
    let layout = layout(device, COMPUTE, &[BindingKind::StorageRead, BindingKind::StorageWrite]);
    let pipeline = compute_pipeline(device, ("compute.slang", "scale"), &[layout], 0, 4);
    let input = buffer_with(device, &words(input), BufferRoles::STORAGE);
    let output = buffer_with(device, &words(&vec![7; outputs as usize]), STORAGE);
    let set = set(device, layout, &[BindingResource::buffer(input), BindingResource::buffer(output)]);
    Scale { pipeline, set, output }
}

#[test]
fn a_storage_buffer_is_written() {
    on_vulkan(|device| {
        let input: Vec<u32> = (0..1000).collect();
        let Scale { pipeline, set, output } = scale(device, &input, 1000);
        let readback = frame(device, |_, encoder| {
            let mut pass = encoder.compute_pass("scale");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.push_constants(&words(&[1000]));
            pass.dispatch(16, 1, 1);
            pass.end();
            encoder.barriers(&[Barrier::buffer(output, Use::StorageWrite(COMPUTE), Use::CopySrc)]);
            encoder.read_buffer(output, 0, 4000)
        });
        let expected: Vec<u32> = input.iter().map(|value| value * 3).collect();
        assert_eq!(read_u32(device, &readback), expected);
    });
}

#[test]
fn reads_and_writes_past_a_buffers_end_do_no_harm() {
    on_vulkan(|device| {
        let Scale { pipeline, set, output } = scale(device, &[5; 64], 128);
        let readback = frame(device, |_, encoder| {
            let mut pass = encoder.compute_pass("scale");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.push_constants(&words(&[4096]));
            pass.dispatch(64, 1, 1);
            pass.end();
            encoder.barriers(&[Barrier::buffer(output, Use::StorageWrite(COMPUTE), Use::CopySrc)]);
            encoder.read_buffer(output, 0, 512)
        });
        let values = read_u32(device, &readback);
        assert!(values[..64].iter().all(|&value| value == 15));
        if device.info().features.exact_robustness {
            assert!(values[64..].iter().all(|&value| value == 0), "past the end is zero");
        }
    });
}

#[test]
fn an_indirect_dispatch_takes_its_size_from_a_buffer() {
    on_vulkan(|device| {
        let Scale { pipeline, set, output } = scale(device, &[1; 256], 256);
        let arguments = buffer_with(device, &words(&[0, 2, 1, 1]), BufferRoles::INDIRECT);
        let readback = frame(device, |_, encoder| {
            let mut pass = encoder.compute_pass("scale");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.push_constants(&words(&[256]));
            pass.dispatch_indirect(arguments, 4);
            pass.end();
            encoder.barriers(&[Barrier::buffer(output, Use::StorageWrite(COMPUTE), Use::CopySrc)]);
            encoder.read_buffer(output, 0, 1024)
        });
        let values = read_u32(device, &readback);
        assert_eq!(values.iter().filter(|&&value| value == 3).count(), 128, "two groups of 64");
        assert_eq!(values.iter().filter(|&&value| value == 7).count(), 128, "the rest untouched");
    });
}

#[test]
fn a_storage_texture_is_painted() {
    on_vulkan(|device| {
        let roles = TextureRoles::STORAGE | TextureRoles::COPY_SRC;
        let (texture, view) = target(device, Format::Rgba8Unorm, 1, roles);
        let none = layout(device, COMPUTE, &[]);
        let images = layout(device, COMPUTE, &[BindingKind::StorageTexture]);
        let pipeline = compute_pipeline(device, ("compute.slang", "paint"), &[none, images], 0, 0);
        let empty = set(device, none, &[]);
        let set = set(device, images, &[BindingResource::Texture(view)]);
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::StorageWrite(COMPUTE))]);
            let mut pass = encoder.compute_pass("paint");
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, empty);
            pass.set_binding_set(1, set);
            pass.dispatch(8, 8, 1);
            pass.end();
            encoder.barriers(&[Barrier::texture(texture, Use::StorageWrite(COMPUTE), Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        let bytes = read(device, &readback);
        for (i, texel) in bytes.chunks(4).enumerate() {
            assert_eq!(texel, [(i % 64) as u8, (i / 64) as u8, 0, 255]);
        }
    });
}

#[test]
fn frames_in_flight_keep_their_own_uniforms() {
    on_vulkan(|device| {
        let writes = layout(device, COMPUTE, &[BindingKind::StorageWrite]);
        let pipeline = compute_pipeline(device, ("uniforms.slang", "computeMain"), &[writes], 2, 0);
        let mut readbacks = Vec::new();
        for i in 0..8 {
            let output = buffer_with(device, &floats(&[0.0; 4]), STORAGE);
            let set = set(device, writes, &[BindingResource::buffer(output)]);
            readbacks.push(frame(device, |frame, encoder| {
                assert_eq!((frame.index(), frame.slot()), (i, (i % 2) as usize));
                let value = i as f32;
                let unused = frame.alloc_uniform(&[0; 300]).unwrap();
                let first = frame.alloc_uniform(&floats(&[value; 4])).unwrap();
                let second = frame.alloc_uniform(&floats(&[value + 0.5; 4])).unwrap();
                assert_eq!((unused.size(), first.size()), (300, 16));
                let mut pass = encoder.compute_pass("uniforms");
                pass.set_pipeline(pipeline);
                pass.set_binding_set(0, set);
                pass.set_uniform(0, first);
                pass.set_uniform(1, second);
                pass.dispatch(1, 1, 1);
                // The same again with the slots exchanged: only the offsets change.
                let written = Use::StorageWrite(COMPUTE);
                pass.barriers(&[Barrier::buffer(output, written, written)]);
                pass.set_uniform(0, second);
                pass.set_uniform(1, first);
                pass.dispatch(1, 1, 1);
                pass.end();
                encoder.barriers(&[Barrier::buffer(output, written, Use::CopySrc)]);
                encoder.read_buffer(output, 0, 16)
            }));
        }
        for (i, readback) in readbacks.iter().enumerate() {
            let expected = 11.0 * (i as f32 + i as f32 + 0.5);
            assert_eq!(read_f32(device, readback), [expected; 4], "frame {i}");
        }
    });
}
