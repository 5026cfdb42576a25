//! Copies, updates, readbacks.
use crate::common::*;
use pellucid_rhi::*;

const BOTH: BufferRoles = BufferRoles::COPY_SRC.union(BufferRoles::COPY_DST);

#[test]
fn updates_and_copies_happen_in_order() {
    on_vulkan(|device| {
        let source = buffer(device, 64, BOTH);
        let target = buffer_with(device, &words(&[9; 16]), BOTH);
        let readback = frame(device, |_, encoder| {
            encoder.update_buffer(source, 0, &words(&[1; 16]));
            encoder.barriers(&[Barrier::buffer(source, Use::CopyDst, Use::CopyDst)]);
            encoder.update_buffer(source, 16, &words(&[2; 4]));
            encoder.barriers(&[Barrier::buffer(source, Use::CopyDst, Use::CopySrc)]);
            let (src, dst) = (source, target);
            encoder.copy_buffer(&BufferCopy { src, src_offset: 8, dst, dst_offset: 32, size: 24 });
            encoder.barriers(&[Barrier::buffer(target, Use::CopyDst, Use::CopySrc)]);
            encoder.read_buffer(target, 0, 64)
        });
        let expected = [9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 2, 2, 2, 2, 9, 9];
        assert_eq!(read_u32(device, &readback), expected);
    });
}

#[test]
fn textures_are_copied_between_mips() {
    on_vulkan(|device| {
        let roles = TextureRoles::COPY_SRC | TextureRoles::COPY_DST | TextureRoles::SAMPLED;
        let bytes: Vec<u8> = (0..8 * 8 * 4).map(|i| i as u8).collect();
        let small = TextureDesc::d2("small", Format::Rgba8Unorm, 8, 8, roles);
        let data = [TextureData { mip: 0, layer: 0, row_pitch: 32, bytes: &bytes }];
        let src = device.create_texture_init(&small, &data).unwrap();
        let large = TextureDesc { mips: 2, ..TextureDesc::d2("large", Format::Rgba8Unorm, 16, 16, roles) };
        let dst = device.create_texture(&large).unwrap();
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[
                Barrier::texture(src, Use::Sampled(ShaderStages::all()), Use::CopySrc),
                Barrier::texture(dst, Use::Undefined, Use::CopyDst),
            ]);
            encoder.copy_texture(&TextureCopy { src, src_at: (0, 0), dst, dst_at: (1, 0) });
            encoder.barriers(&[Barrier::range(dst, TextureRange::mip(1), Use::CopyDst, Use::CopySrc)]);
            encoder.read_texture(dst, 1, 0)
        });
        assert_eq!(read(device, &readback), bytes);
    });
}

#[test]
fn a_readback_follows_the_callers_pitch_and_zeroes_its_padding() {
    on_vulkan(|device| {
        let roles = TextureRoles::COPY_SRC | TextureRoles::SAMPLED;
        let bytes: Vec<u8> = (0..5 * 3 * 4).map(|i| i as u8 + 1).collect();
        let desc = TextureDesc::d2("odd", Format::Rgba8Unorm, 5, 3, roles);
        let data = [TextureData { mip: 0, layer: 0, row_pitch: 20, bytes: &bytes }];
        let texture = device.create_texture_init(&desc, &data).unwrap();
        let readback = frame(device, |_, encoder| {
            let sampled = Use::Sampled(ShaderStages::all());
            encoder.barriers(&[Barrier::texture(texture, sampled, Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        assert_eq!((readback.size, readback.format), (60, Some(Format::Rgba8Unorm)));
        let mut out = vec![0xcd; 32 * 2 + 20];
        device.wait_read(&readback, &mut out, 32).unwrap();
        for y in 0..3 {
            assert_eq!(out[y * 32..y * 32 + 20], bytes[y * 20..y * 20 + 20], "row {y}");
            assert!(
                out[y * 32 + 20..].iter().take(12).all(|&byte| byte == 0 || y == 2),
                "padding of row {y}"
            );
        }
        let mut long = vec![0xcd; 200];
        assert_eq!(device.try_read(&readback, &mut long, 32), Ok(ReadStatus::Ready));
        assert!(long[84..96].iter().all(|&byte| byte == 0), "padding of the last row");
        assert!(long[96..].iter().all(|&byte| byte == 0xcd), "what lies beyond is not ours");
        for (size, pitch) in [(83, 32), (200, 19), (0, 20)] {
            let mut out = vec![0xcd; size];
            let failed = device.try_read(&readback, &mut out, pitch);
            assert!(matches!(failed, Err(ReadError::Output { .. })), "{size} at {pitch}: {failed:?}");
            assert!(out.iter().all(|&byte| byte == 0xcd), "a failure leaves the output");
        }
    });
}

#[test]
fn a_readback_waits_for_its_submission() {
    everywhere(|device| {
        let source = buffer_with(device, &words(&[3; 4]), BOTH);
        let mut out = [0xcd; 16];
        let frame = begin(device);
        let mut encoder = frame.encoder("reads").unwrap();
        let readback = encoder.read_buffer(source, 0, 16);
        assert_eq!(device.try_read(&readback, &mut out, 0), Err(ReadError::FrameOpen));
        let commands = encoder.finish().unwrap();
        let submission = frame.submit([commands]).unwrap();
        assert_eq!(device.wait(submission, A_MOMENT), Ok(true));
        assert_eq!(device.try_read(&readback, &mut out, 0), Ok(ReadStatus::Ready));

        // Commands that are dropped never arrive.
        let frame = begin(device);
        let mut encoder = frame.encoder("dropped").unwrap();
        let (first, second) = (encoder.read_buffer(source, 0, 16), encoder.read_buffer(source, 0, 16));
        drop(encoder.finish().unwrap());
        frame.submit([]).unwrap();
        out = [0xcd; 16];
        for readback in [&first, &second] {
            assert_eq!(device.try_read(readback, &mut out, 0), Err(ReadError::NotSubmitted));
            assert_eq!(device.wait_read(readback, &mut out, 0), Err(ReadError::NotSubmitted));
        }
        assert_eq!(out, [0xcd; 16]);
        let other = null_device();
        assert_eq!(other.try_read(&first, &mut out, 0), Err(ReadError::ForeignDevice));
    });
}

#[test]
fn a_dropped_readback_gives_its_memory_back() {
    on_vulkan(|device| {
        let source = buffer_with(device, &[1; 4096], BOTH);
        let readback = frame(device, |_, encoder| encoder.read_buffer(source, 0, 4096));
        assert!(device.memory_stats().readback >= 4096);
        drop(readback);
        device.wait_idle().unwrap();
        assert_eq!(device.memory_stats().readback, 0);
    });
}

#[test]
fn the_null_backend_reads_zeros() {
    let device = null_device();
    let source = buffer_with(&device, &words(&[3; 4]), BOTH);
    let readback = frame(&device, |_, encoder| encoder.read_buffer(source, 0, 16));
    assert_eq!(read_u32(&device, &readback), [0; 4]);
}
