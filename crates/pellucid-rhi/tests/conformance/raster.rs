//! Clears, triangles, depth, samples, viewports.
use crate::common::*;
use pellucid_rhi::*;

const COLOR: TextureRoles = TextureRoles::COLOR_ATTACHMENT.union(TextureRoles::COPY_SRC);

fn color(view: TextureView, clear: [f32; 4]) -> ColorAttachment {
    ColorAttachment { view, load: Load::Clear(clear), store: Store::Store, resolve: None }
}

#[test]
fn a_clear_is_read_back() {
    on_vulkan(|device| {
        let (texture, view) = target(device, Format::Rgba8Unorm, 1, COLOR);
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::ColorAttachment)]);
            let clear = [1.0, 0.5, 0.0, 1.0];
            let desc = RasterPassDesc { name: "clear", color: &[color(view, clear)], depth: None };
            encoder.raster_pass(&desc).end();
            encoder.barriers(&[Barrier::texture(texture, Use::ColorAttachment, Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        assert_eq!((readback.width, readback.height), (64, 64));
        let bytes = read(device, &readback);
        assert!(bytes.chunks(4).all(|texel| texel == [255, 128, 0, 255] || texel == [255, 127, 0, 255]));
    });
}

/// The pipeline of `triangle.slang`.
fn triangle(device: &Device, cull: Cull, samples: u32, depth: Option<DepthState>) -> RasterPipeline {
    let vertex = shader(device, "triangle.slang", "vertexMain", ShaderStages::VERTEX);
    let fragment = shader(device, "triangle.slang", "fragmentMain", ShaderStages::FRAGMENT);
    let attributes = [VertexAttribute { location: 0, format: VertexFormat::F32x2, offset: 0 }];
    let pipeline = device
        .create_raster_pipeline(&RasterPipelineDesc {
            name: "triangle",
            vertex,
            fragment: Some(fragment),
            layouts: &[],
            dynamic_uniforms: 0,
            push_constants: 20,
            vertex_buffers: &[VertexBufferLayout { stride: 8, per_instance: false, attributes: &attributes }],
            topology: Topology::TriangleList,
            cull,
            depth,
            samples,
            color: &[ColorTarget::opaque(Format::Rgba8Unorm)],
        })
        .expect("a pipeline");
    device.destroy(vertex).unwrap();
    device.destroy(fragment).unwrap();
    pipeline
}

fn push(color: [f32; 4], depth: f32) -> Vec<u8> {
    floats(&[color[0], color[1], color[2], color[3], depth])
}

fn texel(bytes: &[u8], x: usize, y: usize) -> [u8; 4] {
    let at = (y * 64 + x) * 4;
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}

/// Counter-clockwise with +Y up, covering the upper left half of the screen.
const UPPER_LEFT: [f32; 6] = [-1.0, 1.0, -1.0, -1.0, 1.0, 1.0];

#[test]
fn up_is_up_and_fronts_are_counter_clockwise() {
    on_vulkan(|device| {
        let vertices = buffer_with(device, &floats(&UPPER_LEFT), BufferRoles::VERTEX);
        for (cull, drawn) in [(Cull::None, true), (Cull::Back, true), (Cull::Front, false)] {
            let (texture, view) = target(device, Format::Rgba8Unorm, 1, COLOR);
            let pipeline = triangle(device, cull, 1, None);
            let readback = frame(device, |_, encoder| {
                encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::ColorAttachment)]);
                let desc = RasterPassDesc { name: "draw", color: &[color(view, [0.0; 4])], depth: None };
                let mut pass = encoder.raster_pass(&desc);
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, vertices, 0);
                pass.push_constants(&push([0.0, 1.0, 0.0, 1.0], 0.5));
                pass.draw(0..3, 0..1);
                pass.end();
                encoder.barriers(&[Barrier::texture(texture, Use::ColorAttachment, Use::CopySrc)]);
                encoder.read_texture(texture, 0, 0)
            });
            let bytes = read(device, &readback);
            let expected = if drawn { [0, 255, 0, 255] } else { [0; 4] };
            assert_eq!(texel(&bytes, 5, 5), expected, "the upper left under {cull:?}");
            assert_eq!(texel(&bytes, 58, 58), [0; 4], "the lower right under {cull:?}");
        }
    });
}

#[test]
fn reverse_depth_and_four_samples_resolve() {
    on_vulkan(|device| {
        let (many, many_view) = target(device, Format::Rgba8Unorm, 4, TextureRoles::COLOR_ATTACHMENT);
        let (depth, depth_view) = target(device, Format::D32Float, 4, TextureRoles::DEPTH_ATTACHMENT);
        let (one, one_view) = target(device, Format::Rgba8Unorm, 1, COLOR);
        let state = DepthState {
            format: Format::D32Float,
            compare: CompareOp::GreaterOrEqual,
            write: true,
            bias: [0.0; 2],
        };
        let pipeline = triangle(device, Cull::Back, 4, Some(state));
        let vertices = buffer_with(device, &floats(&UPPER_LEFT), BufferRoles::VERTEX);
        let indices = buffer_with(device, &words(&[0, 1, 2]), BufferRoles::INDEX);
        let readback = frame(device, |frame, encoder| {
            encoder.barriers(&[
                Barrier::texture(many, Use::Undefined, Use::ColorAttachment),
                Barrier::texture(one, Use::Undefined, Use::ColorAttachment),
                Barrier::texture(depth, Use::Undefined, Use::DepthWrite),
            ]);
            let mut pass = encoder.raster_pass(&RasterPassDesc {
                name: "samples",
                color: &[ColorAttachment {
                    view: many_view,
                    load: Load::Clear([0.0; 4]),
                    store: Store::Discard,
                    resolve: Some(one_view),
                }],
                depth: Some(DepthAttachment {
                    view: depth_view,
                    load: Load::Clear(0.0),
                    store: Store::Discard,
                    read_only: false,
                }),
            });
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, vertices, 0);
            pass.set_index_buffer(indices, 0, IndexFormat::U32);
            pass.push_constants(&push([1.0, 0.0, 0.0, 1.0], 0.9));
            pass.draw_indexed(0..3, 0, 0..1);
            // Farther away in reverse depth: hidden. From the ring, so that is drawn from too.
            let far: Vec<f32> = UPPER_LEFT.to_vec();
            let slice = frame.alloc_vertex(&floats(&far), 4).unwrap();
            pass.set_vertex_buffer(0, slice.buffer, slice.offset);
            pass.push_constants(&push([0.0, 0.0, 1.0, 1.0], 0.1));
            pass.draw(0..3, 0..1);
            pass.end();
            encoder.barriers(&[Barrier::texture(one, Use::ColorAttachment, Use::CopySrc)]);
            encoder.read_texture(one, 0, 0)
        });
        let bytes = read(device, &readback);
        assert_eq!(texel(&bytes, 5, 5), [255, 0, 0, 255], "the nearer triangle");
        assert_eq!(texel(&bytes, 58, 58), [0; 4]);
        let edge = (0..64).map(|i| texel(&bytes, i, 63 - i)[0]).filter(|&red| red > 0 && red < 255).count();
        assert!(edge > 32, "the diagonal is smoothed: {edge} of its 64 texels are mixed");
    });
}

#[test]
fn scissor_and_viewport() {
    on_vulkan(|device| {
        let (texture, view) = target(device, Format::Rgba8Unorm, 1, COLOR);
        let pipeline = triangle(device, Cull::None, 1, None);
        let whole = [-1.0, 3.0, -1.0, -1.0, 3.0, -1.0];
        let vertices = buffer_with(device, &floats(&whole), BufferRoles::VERTEX);
        let readback = frame(device, |_, encoder| {
            encoder.barriers(&[Barrier::texture(texture, Use::Undefined, Use::ColorAttachment)]);
            let desc = RasterPassDesc { name: "draw", color: &[color(view, [0.0; 4])], depth: None };
            let mut pass = encoder.raster_pass(&desc);
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, vertices, 0);
            pass.push_constants(&push([1.0; 4], 0.5));
            pass.set_scissor(Rect { x: 8, y: 8, width: 16, height: 8 });
            pass.draw(0..3, 0..1);
            pass.set_scissor(Rect { x: 0, y: 0, width: u32::MAX, height: u32::MAX });
            pass.set_viewport(Viewport { x: 32.0, y: 48.0, width: 32.0, height: 16.0 });
            pass.draw(0..3, 0..1);
            pass.end();
            encoder.barriers(&[Barrier::texture(texture, Use::ColorAttachment, Use::CopySrc)]);
            encoder.read_texture(texture, 0, 0)
        });
        let bytes = read(device, &readback);
        for y in 0..64 {
            for x in 0..64 {
                let scissor = (8..24).contains(&x) && (8..16).contains(&y);
                let viewport = (32..64).contains(&x) && (48..64).contains(&y);
                let expected = if scissor || viewport { [255; 4] } else { [0; 4] };
                assert_eq!(texel(&bytes, x, y), expected, "at {x}, {y}");
            }
        }
    });
}
