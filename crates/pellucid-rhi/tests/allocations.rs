//! Once warm, recording and submitting a frame does not touch the heap.
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
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is the system allocator's own; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn warm_frames_allocate_nothing(device: &Device) {
    let stages = ShaderStages::COMPUTE;
    let writes = layout(device, stages, &[BindingKind::StorageWrite]);
    let pipeline = compute_pipeline(device, ("uniforms.slang", "computeMain"), &[writes], 2, 0);
    let output = buffer(device, 256, BufferRoles::STORAGE | BufferRoles::COPY_DST);
    let set = set(device, writes, &[BindingResource::buffer(output)]);
    let (texture, view) = target(device, Format::Rgba8Unorm, 1, TextureRoles::COLOR_ATTACHMENT);
    let attributes = [VertexAttribute { location: 0, format: VertexFormat::F32x2, offset: 0 }];
    let raster = device
        .create_raster_pipeline(&RasterPipelineDesc {
            name: "triangle",
            vertex: shader(device, "triangle.slang", "vertexMain", ShaderStages::VERTEX),
            fragment: Some(shader(device, "triangle.slang", "fragmentMain", ShaderStages::FRAGMENT)),
            layouts: &[],
            dynamic_uniforms: 0,
            push_constants: 20,
            vertex_buffers: &[VertexBufferLayout { stride: 8, per_instance: false, attributes: &attributes }],
            topology: Topology::TriangleList,
            cull: Cull::None,
            depth: None,
            samples: 1,
            color: &[ColorTarget::opaque(Format::Rgba8Unorm)],
        })
        .unwrap();
    let (bytes, push) = (floats(&[1.0; 6]), floats(&[1.0; 5]));
    let mut counts = Vec::with_capacity(16);
    for _ in 0..12 {
        let before = COUNT.with(Cell::get);
        let frame = begin(device);
        let values = frame.alloc_uniform(&bytes).unwrap();
        let slice = frame.alloc_vertex(&bytes, 4).unwrap();
        let mut encoder = frame.encoder("everything").unwrap();
        encoder.update_buffer(output, 0, &bytes);
        encoder.push_scope("scope");
        encoder.barriers(&[
            Barrier::buffer(output, Use::CopyDst, Use::StorageWrite(stages)),
            Barrier::texture(texture, Use::Undefined, Use::ColorAttachment),
        ]);
        let mut pass = encoder.compute_pass("compute");
        for _ in 0..100 {
            pass.set_pipeline(pipeline);
            pass.set_binding_set(0, set);
            pass.set_uniform(0, values);
            pass.set_uniform(1, values);
            pass.dispatch(1, 1, 1);
            let written = Use::StorageWrite(stages);
            pass.barriers(&[Barrier::buffer(output, written, written)]);
        }
        pass.end();
        let color = [ColorAttachment { view, load: Load::DontCare, store: Store::Store, resolve: None }];
        let mut pass = encoder.raster_pass(&RasterPassDesc { name: "raster", color: &color, depth: None });
        pass.set_pipeline(raster);
        pass.set_vertex_buffer(0, slice.buffer, slice.offset);
        for _ in 0..100 {
            pass.push_constants(&push);
            pass.draw(0..3, 0..1);
        }
        pass.end();
        encoder.barriers(&[Barrier::buffer(output, Use::StorageWrite(stages), Use::CopyDst)]);
        encoder.pop_scope();
        let commands = encoder.finish().unwrap();
        frame.submit([commands]).unwrap();
        device.poll().unwrap();
        counts.push(COUNT.with(Cell::get) - before);
    }
    assert!(counts[0] > 0, "the first frame makes its rings, so the count counts: {counts:?}");
    // Staging chunks come back one by one; with two slots, four frames have seen everything.
    assert!(counts[6..].iter().all(|&count| count == 0), "allocations of each frame: {counts:?}");
}

#[test]
fn on_the_null_backend() {
    warm_frames_allocate_nothing(&null_device());
}

#[test]
fn on_vulkan_without_layers() {
    let desc = InstanceDesc { app_name: "allocations", backend: BackendChoice::Vulkan, validation: false };
    let instance = Instance::new(&desc).expect("a Vulkan instance");
    let device = instance.create_device(choose(&instance), &DeviceDesc::default()).expect("a device");
    warm_frames_allocate_nothing(&device);
}
