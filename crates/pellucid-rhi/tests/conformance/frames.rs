//! Frames: slots, rings, several encoders, abandonment, threads.
use crate::common::*;
use pellucid_rhi::*;

const BOTH: BufferRoles = BufferRoles::COPY_SRC.union(BufferRoles::COPY_DST);

#[test]
fn one_frame_is_open_at_a_time_and_a_dropped_one_is_abandoned() {
    everywhere(|device| {
        let target = FrameTarget::Offscreen { width: 1, height: 1 };
        let frame = begin(device);
        assert_eq!(device.begin_frame(target).unwrap_err(), FrameError::FrameOpen);
        assert_eq!(frame.index(), 0);
        drop(frame);
        let frame = begin(device);
        assert_eq!(frame.index(), 0, "an abandoned frame does not count");
        let encoder = frame.encoder("left open").unwrap();
        drop(encoder);
        frame.submit([]).unwrap();
        assert_eq!(begin(device).index(), 1);
        let empty = FrameTarget::Offscreen { width: 0, height: 9 };
        assert!(matches!(device.begin_frame(empty), Ok(FrameStatus::Skipped(SkipReason::ZeroSize))));
    });
}

#[test]
fn command_buffers_belong_to_their_frame() {
    everywhere(|device| {
        let frame = begin(device);
        let commands = frame.encoder("first").unwrap().finish().unwrap();
        frame.submit([]).unwrap();
        let frame = begin(device);
        let refused = frame.submit([commands]);
        assert!(matches!(refused, Err(FrameError::ForeignCommandBuffer { name }) if name == "first"));
        begin(device).submit([]).expect("the refused frame ended");
    });
}

#[test]
fn rings_are_bounded_and_start_anew_with_each_frame() {
    let desc = DeviceDesc { uniform_ring_bytes: 16_384, vertex_ring_bytes: 16_384, ..DeviceDesc::default() };
    on_vulkan_with(&desc, |device| {
        for _ in 0..3 {
            let frame = begin(device);
            for _ in 0..64 {
                frame.alloc_uniform(&[1; 200]).unwrap();
            }
            let full = frame.alloc_uniform(&[1]);
            assert!(matches!(full, Err(RingError::Full { ring: "uniform", used: 16_328, .. })), "{full:?}");
            let slice = frame.alloc_vertex(&[1; 10], 2).unwrap();
            assert_eq!((slice.offset, slice.size), (0, 10));
            assert!(device.destroy(slice.buffer).is_err(), "a ring is not the user's to destroy");
            assert_eq!(frame.alloc_vertex(&[1; 10], 64).unwrap().offset, 64);
            assert!(matches!(frame.alloc_vertex(&[1; 16_384], 1), Err(RingError::Full { .. })));
            assert!(matches!(frame.alloc_vertex(&[1], 3), Err(RingError::Align { align: 3 })));
            assert!(matches!(frame.alloc_uniform(&[]), Err(RingError::Size { .. })));
            assert!(matches!(frame.alloc_uniform(&[0; 16_385]), Err(RingError::Size { .. })));
            frame.submit([]).unwrap();
        }
    });
}

#[test]
fn encoders_on_several_threads_run_in_the_order_of_submission() {
    on_vulkan(|device| {
        let target = buffer(device, 256, BOTH);
        let frame = begin(device);
        let record = |i: u32| {
            let mut encoder = frame.encoder(&format!("thread {i}")).unwrap();
            let used = if i == 0 { Use::Undefined } else { Use::CopyDst };
            encoder.barriers(&[Barrier::buffer(target, used, Use::CopyDst)]);
            encoder.update_buffer(target, 0, &words(&vec![i; 64 - 8 * i as usize]));
            encoder.finish().unwrap()
        };
        let mut commands: Vec<CommandBuffer> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|i| scope.spawn(move || record(i))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut encoder = frame.encoder("reads").unwrap();
        encoder.barriers(&[Barrier::buffer(target, Use::CopyDst, Use::CopySrc)]);
        let readback = encoder.read_buffer(target, 0, 256);
        commands.push(encoder.finish().unwrap());
        frame.submit(commands).unwrap();
        let values = read_u32(device, &readback);
        assert_eq!(values[0], 5, "the last writes first");
        assert_eq!(values[63], 0);
        for i in 0..6u32 {
            let end = 64 - 8 * i as usize;
            assert_eq!(values[end - 1], i, "the end of what thread {i} wrote");
        }
    });
}

#[test]
fn many_frames_leave_nothing_behind() {
    everywhere(|device| {
        let counter = buffer_with(device, &[0; 4], BOTH);
        frame(device, |_, encoder| encoder.update_buffer(counter, 0, &words(&[0])));
        frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::buffer(counter, Use::CopyDst, Use::CopyDst)]);
            encoder.update_buffer(counter, 0, &words(&[0]));
        });
        device.wait_idle().unwrap();
        let before = (device.live_objects(), device.memory_stats().used);
        for i in 0..300u32 {
            let temporary = buffer(device, 4096, BOTH);
            frame(device, |frame, encoder| {
                frame.alloc_uniform(&words(&[i])).unwrap();
                let (src, dst) = (temporary, counter);
                encoder.update_buffer(temporary, 0, &words(&[i]));
                encoder.barriers(&[
                    Barrier::buffer(temporary, Use::CopyDst, Use::CopySrc),
                    Barrier::buffer(counter, Use::CopyDst, Use::CopyDst),
                ]);
                encoder.copy_buffer(&BufferCopy { src, src_offset: 0, dst, dst_offset: 0, size: 4 });
            });
            device.destroy(temporary).unwrap();
        }
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::buffer(counter, Use::CopyDst, Use::CopySrc)]);
            encoder.read_buffer(counter, 0, 4)
        });
        let last = read_u32(device, &readback);
        assert!(last == [299] || device.info().name == "null", "{last:?}");
        drop(readback);
        device.wait_idle().unwrap();
        assert_eq!((device.live_objects(), device.memory_stats().used), before);
    });
}

#[test]
fn pipelines_compile_on_several_threads_at_once() {
    on_vulkan(|device| {
        let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
        let layout = layout(device, ShaderStages::COMPUTE, &kinds);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..4 {
                        let entry = ("compute.slang", "scale");
                        let pipeline = compute_pipeline(device, entry, &[layout], 0, 4);
                        device.destroy(pipeline).unwrap();
                    }
                });
            }
        });
        assert_eq!(device.live_objects().compute_pipelines, 0);
        assert_eq!(device.live_objects().shaders, 0);
    });
}

/// Encoders read the tables without a lock while other threads fill, empty and reuse them.
#[test]
fn objects_come_and_go_on_other_threads_while_a_frame_is_recorded() {
    everywhere(|device| {
        let steady = buffer(device, 4096, BOTH);
        let before = device.live_objects().buffers;
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !done.load(std::sync::atomic::Ordering::Relaxed) {
                        let passing: Vec<Buffer> = (0..8).map(|_| buffer(device, 64, BOTH)).collect();
                        passing.into_iter().for_each(|buffer| device.destroy(buffer).unwrap());
                    }
                });
            }
            for i in 0..40u32 {
                let mine = buffer(device, 64, BOTH);
                frame(device, |_, encoder| {
                    for _ in 0..50 {
                        encoder.barriers(&[
                            Barrier::buffer(steady, Use::CopyDst, Use::CopyDst),
                            Barrier::buffer(mine, Use::CopyDst, Use::CopyDst),
                        ]);
                        encoder.update_buffer(mine, 0, &words(&[i]));
                        encoder.update_buffer(steady, 0, &words(&[i]));
                    }
                    device.destroy(mine).unwrap();
                });
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        device.wait_idle().unwrap();
        assert_eq!(device.live_objects().buffers, before);
    });
}
