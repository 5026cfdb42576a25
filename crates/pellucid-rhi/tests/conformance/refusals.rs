//! What the facade refuses, the same on every backend: nothing here may reach a driver.
use crate::common::*;
use pellucid_rhi::*;

#[track_caller]
fn invalid<T: std::fmt::Debug>(result: Result<T, ResourceError>, word: &str) {
    match result {
        Err(ResourceError::Invalid { reason, .. } | ResourceError::Unsupported { reason, .. }) => {
            assert!(reason.contains(word), "{reason:?} should mention {word:?}");
        }
        other => panic!("{word:?} should be refused: {other:?}"),
    }
}

#[test]
fn buffers_and_textures() {
    everywhere(|device| {
        let desc = BufferDesc { name: "b", size: 16, roles: BufferRoles::STORAGE };
        invalid(device.create_buffer(&BufferDesc { size: 0, ..desc }), "size");
        invalid(device.create_buffer(&BufferDesc { size: u64::MAX, ..desc }), "limit");
        invalid(device.create_buffer(&BufferDesc { roles: BufferRoles::empty(), ..desc }), "role");
        invalid(device.create_buffer_init(&desc, &[0; 17]), "initial bytes");

        let good = TextureDesc::d2("t", Format::Rgba8Unorm, 16, 16, TextureRoles::SAMPLED);
        let color = TextureRoles::COLOR_ATTACHMENT;
        let table = [
            (TextureDesc { width: 0, ..good }, "at least 1"),
            (TextureDesc { layers: 0, ..good }, "at least 1"),
            (TextureDesc { width: 1 << 20, ..good }, "limit"),
            (TextureDesc { layers: 1 << 20, ..good }, "layers"),
            (TextureDesc { mips: 0, ..good }, "mips"),
            (TextureDesc { mips: 6, ..good }, "mips"),
            (TextureDesc { samples: 2, ..good }, "samples"),
            (TextureDesc { samples: 4, ..good }, "attachment role"),
            (TextureDesc { samples: 4, mips: 2, roles: color, ..good }, "one mip"),
            (TextureDesc { samples: 4, roles: color | TextureRoles::COPY_SRC, ..good }, "resolve"),
            (TextureDesc { roles: TextureRoles::empty(), ..good }, "role"),
            (TextureDesc { dimension: TextureDimension::Cube, ..good }, "6 layers"),
            (TextureDesc { dimension: TextureDimension::D3, roles: color, ..good }, "volume"),
            (TextureDesc { view_format: Some(Format::Rgba16Float), ..good }, "size"),
            (TextureDesc { format: Format::Rgba8Srgb, roles: TextureRoles::STORAGE, ..good }, "storage"),
            (TextureDesc { format: Format::D32Float, roles: color, ..good }, "colour attachment"),
            (TextureDesc { roles: TextureRoles::DEPTH_ATTACHMENT, ..good }, "depth attachment"),
        ];
        for (desc, word) in table {
            invalid(device.create_texture(&desc), word);
        }

        let bytes = vec![0; 16 * 64];
        let mip =
            |mip, layer, row_pitch, size: usize| TextureData { mip, layer, row_pitch, bytes: &bytes[..size] };
        let chain = TextureDesc { mips: 3, ..good };
        let table: [(&[TextureData<'_>], &str); 8] = [
            (&[], "mip 0 of every layer"),
            (&[mip(0, 0, 63, 1024)], "row pitch"),
            (&[mip(0, 0, 64, 1023)], "needed"),
            (&[mip(3, 0, 64, 1024)], "3 mips"),
            (&[mip(0, 1, 64, 1024)], "1 layers"),
            (&[mip(0, 0, 64, 1024), mip(0, 0, 64, 1024)], "twice"),
            (&[mip(1, 0, 64, 1024)], "mip 0 of every layer"),
            (&[mip(0, 0, 64, 1024), mip(1, 0, 64, 1024)], "mip 0 of every layer"),
        ];
        for (data, word) in table {
            invalid(device.create_texture_init(&chain, data), word);
        }
        let many = TextureDesc { samples: 4, roles: color, ..good };
        invalid(device.create_texture_init(&many, &[mip(0, 0, 64, 1024)]), "no initial bytes");
        assert_eq!(device.live_objects().textures, 0);
        assert_eq!(device.live_objects().buffers, 0);
    });
}

#[test]
fn views_samplers_and_sets() {
    everywhere(|device| {
        let layered = TextureDesc {
            layers: 6,
            mips: 2,
            dimension: TextureDimension::Cube,
            ..TextureDesc::d2("cube", Format::Rgba8Unorm, 16, 16, TextureRoles::SAMPLED)
        };
        let texture = device.create_texture(&layered).unwrap();
        let whole = TextureRange::ALL;
        let good = TextureViewDesc { name: "v", texture, kind: ViewKind::Cube, format: None, range: whole };
        let one = TextureRange::one(0, 2);
        let table = [
            (TextureViewDesc { format: Some(Format::Rgba8Srgb), ..good }, "format"),
            (TextureViewDesc { range: TextureRange::one(2, 0), ..good }, "outside"),
            (TextureViewDesc { range: TextureRange { layers: 7, ..whole }, ..good }, "outside"),
            (TextureViewDesc { range: TextureRange { mips: 0, ..whole }, ..good }, "outside"),
            (TextureViewDesc { kind: ViewKind::D2, range: one, ..good }, "can't be viewed"),
            (TextureViewDesc { kind: ViewKind::D3, ..good }, "can't be viewed"),
            (TextureViewDesc { range: one, ..good }, "can't be viewed"),
        ];
        for (desc, word) in table {
            invalid(device.create_view(&desc), word);
        }
        let cube = device.create_view(&good).unwrap();

        let good = SamplerDesc::linear("s", AddressMode::Clamp);
        let nearest = SamplerDesc { mip: Filter::Nearest, max_anisotropy: 4, ..good };
        invalid(device.create_sampler(&nearest), "linear filters");
        invalid(device.create_sampler(&SamplerDesc { max_anisotropy: 17, ..good }), "anisotropy");
        invalid(device.create_sampler(&SamplerDesc { lod: [2.0, 1.0], ..good }), "levels of detail");
        invalid(device.create_sampler(&SamplerDesc { lod: [f32::NAN, 1.0], ..good }), "levels of detail");
        let sampler = device.create_sampler(&good).unwrap();

        let stages = ShaderStages::COMPUTE;
        let slot = BindingSlot { binding: 0, kind: BindingKind::Uniform, count: 1, stages };
        let table: [(&[BindingSlot], &str); 5] = [
            (&[slot, slot], "twice"),
            (&[BindingSlot { binding: 64, ..slot }], "past the largest"),
            (&[BindingSlot { count: 0, ..slot }], "count"),
            (&[BindingSlot { count: 2000, ..slot }], "elements"),
            (&[BindingSlot { stages: ShaderStages::empty(), ..slot }], "no stage"),
        ];
        for (slots, word) in table {
            invalid(device.create_binding_layout(&BindingLayoutDesc { name: "l", slots }), word);
        }

        let kinds = [BindingKind::Uniform, BindingKind::StorageTexture];
        let layout = layout(device, stages, &kinds);
        let uniform = buffer(device, 65_536, BufferRoles::UNIFORM);
        let other = buffer(device, 512, BufferRoles::STORAGE);
        let range = |buffer, offset, size| BindingResource::Buffer { buffer, offset, size };
        let image = BindingEntry::new(1, BindingResource::Texture(cube));
        let first = |resource| [BindingEntry::new(0, resource), image];
        let table = [
            (first(range(uniform, 0, 0)), "limit of a binding"),
            (first(range(uniform, 4, 256)), "multiple of 256"),
            (first(range(uniform, 65_536, 256)), "outside"),
            (first(range(uniform, u64::MAX - 255, 256)), "outside"),
            (first(range(other, 0, 256)), "role"),
            (first(BindingResource::Sampler(sampler)), "no Uniform"),
            ([image, image], "twice"),
            ([BindingEntry::new(2, range(uniform, 0, 256)), image], "has no binding 2"),
            (first(range(uniform, 0, 256)), "STORAGE"),
        ];
        for (entries, word) in table {
            invalid(
                device.create_binding_set(&BindingSetDesc { name: "s", layout, entries: &entries }),
                word,
            );
        }
        invalid(device.create_binding_set(&BindingSetDesc { name: "s", layout, entries: &[] }), "entries");
        device.destroy(layout).unwrap();
        let refused = device.create_binding_set(&BindingSetDesc { name: "s", layout, entries: &[] });
        assert!(matches!(refused, Err(ResourceError::Stale { .. })));
        assert_eq!(device.live_objects().binding_sets, 0);
    });
}

#[test]
fn shaders_and_pipelines() {
    everywhere(|device| {
        let code = spirv("compute.slang", "scale");
        let good = ShaderDesc { name: "s", stage: ShaderStages::COMPUTE, entry: "scale", spirv: &code };
        invalid(device.create_shader(&ShaderDesc { spirv: b"text", ..good }), "no SPIR-V");
        invalid(device.create_shader(&ShaderDesc { spirv: &code[..code.len() - 3], ..good }), "no SPIR-V");
        let endless = [&code[..], &words(&[9 << 16])].concat();
        invalid(device.create_shader(&ShaderDesc { spirv: &endless, ..good }), "past");
        invalid(device.create_shader(&ShaderDesc { entry: "main", ..good }), "entry point");
        invalid(device.create_shader(&ShaderDesc { stage: ShaderStages::VERTEX, ..good }), "entry point");
        let compute = device.create_shader(&good).unwrap();

        let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
        let layout = layout(device, ShaderStages::COMPUTE, &kinds);
        let layouts = &[layout];
        let good = ComputePipelineDesc {
            name: "p",
            shader: compute,
            layouts,
            dynamic_uniforms: 0,
            push_constants: 4,
        };
        invalid(
            device.create_compute_pipeline(&ComputePipelineDesc { layouts: &[], ..good }),
            "binding 0 of set 0",
        );
        invalid(
            device.create_compute_pipeline(&ComputePipelineDesc { layouts: &[layout; 5], ..good }),
            "5 sets",
        );
        invalid(
            device.create_compute_pipeline(&ComputePipelineDesc { dynamic_uniforms: 5, ..good }),
            "dynamic",
        );
        invalid(device.create_compute_pipeline(&ComputePipelineDesc { push_constants: 132, ..good }), "push");
        invalid(device.create_compute_pipeline(&ComputePipelineDesc { push_constants: 6, ..good }), "push");

        let vertex = shader(device, "triangle.slang", "vertexMain", ShaderStages::VERTEX);
        let fragment = shader(device, "triangle.slang", "fragmentMain", ShaderStages::FRAGMENT);
        let wrong = ComputePipelineDesc { shader: vertex, ..good };
        invalid(device.create_compute_pipeline(&wrong), "shader");
        let attribute = VertexAttribute { location: 0, format: VertexFormat::F32x2, offset: 0 };
        let streams = [VertexBufferLayout { stride: 8, per_instance: false, attributes: &[attribute] }];
        let short = [VertexBufferLayout { stride: 4, ..streams[0] }];
        let odd = [VertexBufferLayout { stride: 9, ..streams[0] }];
        let twice = [streams[0], streams[0]];
        let color = [ColorTarget::opaque(Format::Rgba8Unorm)];
        let depth = [ColorTarget::opaque(Format::D32Float)];
        let blended = [ColorTarget { format: Format::R32Uint, blend: Blend::Additive, write_mask: 15 }];
        let good = RasterPipelineDesc {
            name: "p",
            vertex,
            fragment: Some(fragment),
            layouts: &[],
            dynamic_uniforms: 0,
            push_constants: 20,
            vertex_buffers: &streams,
            topology: Topology::TriangleList,
            cull: Cull::None,
            depth: None,
            samples: 1,
            color: &color,
        };
        let table = [
            (RasterPipelineDesc { samples: 3, ..good }, "samples"),
            (RasterPipelineDesc { color: &[], ..good }, "into nothing"),
            (RasterPipelineDesc { fragment: None, ..good }, "no fragment shader"),
            (RasterPipelineDesc { color: &depth, ..good }, "D32Float"),
            (RasterPipelineDesc { color: &blended, ..good }, "R32Uint"),
            (RasterPipelineDesc { color: &[color[0]; 5], ..good }, "5 colour targets"),
            (RasterPipelineDesc { vertex_buffers: &short, ..good }, "does not fit"),
            (RasterPipelineDesc { vertex_buffers: &odd, ..good }, "stride"),
            (RasterPipelineDesc { vertex_buffers: &twice, ..good }, "twice"),
            (RasterPipelineDesc { vertex: fragment, ..good }, "shader"),
        ];
        for (desc, word) in table {
            invalid(device.create_raster_pipeline(&desc), word);
        }
        let live = device.live_objects();
        assert_eq!((live.raster_pipelines, live.compute_pipelines, live.shaders), (0, 0, 3));
        for handle in [vertex, fragment, compute] {
            device.destroy(handle).unwrap();
        }
        let refused = device.create_raster_pipeline(&good);
        assert!(matches!(refused, Err(ResourceError::Stale { .. })), "{refused:?}");
    });
}

/// Records what is wrong and gives the cause.
#[track_caller]
fn cause(device: &Device, record: impl FnOnce(&mut CommandEncoder<'_>)) -> RecordCause {
    let frame = begin(device);
    let mut encoder = frame.encoder("wrong").unwrap();
    record(&mut encoder);
    encoder.finish().expect_err("this should be refused").cause
}

#[test]
fn recordings() {
    everywhere(|device| {
        let bytes = buffer(device, 64, BufferRoles::COPY_SRC | BufferRoles::COPY_DST);
        let vertices = buffer(device, 64, BufferRoles::VERTEX | BufferRoles::INDEX);
        let roles = TextureRoles::COLOR_ATTACHMENT | TextureRoles::COPY_SRC;
        let (texture, color) = target(device, Format::Rgba8Unorm, 1, roles);
        let (_, many) = target(device, Format::Rgba8Unorm, 4, TextureRoles::COLOR_ATTACHMENT);
        let (_, sampled) = target(device, Format::Rgba8Unorm, 1, TextureRoles::SAMPLED);
        let kinds = [BindingKind::StorageRead, BindingKind::StorageWrite];
        let two = layout(device, ShaderStages::COMPUTE, &kinds);
        let scale = compute_pipeline(device, ("compute.slang", "scale"), &[two], 0, 4);
        let one = layout(device, ShaderStages::COMPUTE, &[BindingKind::StorageWrite]);
        let storage = buffer(device, 64, BufferRoles::STORAGE);
        let wrong_set = set(device, one, &[BindingResource::buffer(storage)]);
        let right_set = set(device, two, &[BindingResource::buffer(storage); 2]);
        let uniforms = compute_pipeline(device, ("uniforms.slang", "computeMain"), &[one], 2, 0);

        type Cause = RecordCause;
        let copy = BufferCopy { src: bytes, src_offset: 0, dst: bytes, dst_offset: 32, size: 32 };
        let found = cause(device, |e| e.copy_buffer(&BufferCopy { size: 36, ..copy }));
        assert!(
            matches!(found, Cause::Range { what: "destination bytes", end: 68, limit: 64, .. }),
            "{found}"
        );
        let found = cause(device, |e| e.copy_buffer(&BufferCopy { dst_offset: 16, ..copy }));
        assert!(matches!(found, Cause::Use { .. }), "{found}");
        let found = cause(device, |e| e.copy_buffer(&BufferCopy { src_offset: 2, ..copy }));
        assert!(matches!(found, Cause::Align { value: 2, .. }), "{found}");
        let found = cause(device, |e| e.update_buffer(vertices, 0, &[0; 4]));
        assert!(matches!(found, Cause::Role { role: "COPY_DST", .. }), "{found}");
        let found = cause(device, |e| e.update_buffer(bytes, u64::MAX - 3, &[0; 4]));
        assert!(matches!(found, Cause::Range { .. }), "{found}");
        let found = cause(device, |e| drop(e.read_texture(texture, 1, 0)));
        assert!(matches!(found, Cause::Range { what: "mip", .. }), "{found}");
        let found = cause(device, |e| e.barriers(&[Barrier::texture(texture, Use::Undefined, Use::Present)]));
        assert!(matches!(found, Cause::Use { .. }), "{found}");
        let found = cause(device, |e| e.barriers(&[Barrier::buffer(bytes, Use::CopyDst, Use::Vertex)]));
        assert!(matches!(found, Cause::Role { role: "VERTEX", .. }), "{found}");
        let outside = Barrier::range(texture, TextureRange::one(0, 1), Use::Undefined, Use::CopySrc);
        assert!(matches!(cause(device, |e| e.barriers(&[outside])), Cause::Use { .. }));
        assert!(matches!(cause(device, |e| e.pop_scope()), Cause::Scopes));
        assert!(matches!(cause(device, |e| e.push_scope("open")), Cause::Scopes));
        let deep = |e: &mut CommandEncoder<'_>| (0..9).for_each(|_| e.push_scope("deep"));
        assert!(matches!(cause(device, deep), Cause::Limit { what: "nested scopes", .. }));

        let attach = |view, resolve| ColorAttachment {
            view,
            load: Load::Clear([0.0; 4]),
            store: Store::Store,
            resolve,
        };
        let pass = |colors: &[ColorAttachment]| {
            cause(device, |e| drop(e.raster_pass(&RasterPassDesc { name: "p", color: colors, depth: None })))
        };
        assert!(matches!(pass(&[]), Cause::Limit { what: "attachments", .. }));
        assert!(matches!(pass(&[attach(sampled, None)]), Cause::Attachment { .. }));
        assert!(matches!(pass(&[attach(color, None), attach(many, None)]), Cause::Attachment { .. }));
        assert!(matches!(pass(&[attach(color, Some(color))]), Cause::Attachment { .. }));
        assert!(matches!(pass(&[attach(color, None); 5]), Cause::Limit { .. }));

        let forgotten = |e: &mut CommandEncoder<'_>| {
            let color = [attach(color, None)];
            std::mem::forget(e.raster_pass(&RasterPassDesc { name: "p", color: &color, depth: None }));
            e.update_buffer(bytes, 0, &[0; 4]);
        };
        assert_eq!(cause(device, forgotten), Cause::Scopes);
        let nowhere = Use::Sampled(ShaderStages::empty());
        let found = cause(device, |e| e.barriers(&[Barrier::texture(texture, nowhere, Use::CopySrc)]));
        assert!(matches!(found, Cause::Use { .. }), "{found}");

        let draw = |record: &dyn Fn(&mut RasterPass<'_>)| {
            cause(device, |e| {
                let color = [attach(color, None)];
                let mut pass = e.raster_pass(&RasterPassDesc { name: "draws", color: &color, depth: None });
                record(&mut pass);
            })
        };
        assert_eq!(draw(&|pass| pass.draw(0..3, 0..1)), Cause::NoPipeline);
        let viewport = Viewport { x: 0.0, y: 0.0, width: f32::NAN, height: 1.0 };
        assert_eq!(draw(&|pass| pass.set_viewport(viewport)), Cause::Viewport);
        let found = draw(&|pass| pass.set_vertex_buffer(8, vertices, 0));
        assert!(matches!(found, Cause::Limit { value: 8, .. }), "{found}");
        let found = draw(&|pass| pass.set_vertex_buffer(0, vertices, 68));
        assert!(matches!(found, Cause::Range { .. }), "{found}");
        let found = draw(&|pass| pass.set_index_buffer(vertices, 2, IndexFormat::U32));
        assert!(matches!(found, Cause::Align { align: 4, .. }), "{found}");

        let dispatch = |record: &dyn Fn(&mut ComputePass<'_>)| {
            cause(device, |e| {
                let mut pass = e.compute_pass("dispatches");
                record(&mut pass);
            })
        };
        assert_eq!(dispatch(&|pass| pass.dispatch(1, 1, 1)), Cause::NoPipeline);
        let found = dispatch(&|pass| {
            pass.set_pipeline(scale);
            pass.dispatch(1, 1, 1);
        });
        assert!(matches!(found, Cause::MissingSet { index: 0, .. }), "{found}");
        let found = dispatch(&|pass| {
            pass.set_pipeline(scale);
            pass.set_binding_set(0, wrong_set);
            pass.dispatch(1, 1, 1);
        });
        assert!(matches!(found, Cause::SetShape { index: 0, .. }), "{found}");
        let found = dispatch(&|pass| {
            pass.set_pipeline(scale);
            pass.set_binding_set(0, right_set);
            pass.dispatch(1, 1, 1);
        });
        assert!(matches!(found, Cause::PushConstants { needed: 4, given: 0, .. }), "{found}");
        let found = dispatch(&|pass| {
            pass.set_pipeline(uniforms);
            pass.set_binding_set(0, wrong_set);
            pass.dispatch(1, 1, 1);
        });
        assert!(matches!(found, Cause::MissingUniform { slot: 0, .. }), "{found}");
        assert!(matches!(dispatch(&|pass| pass.push_constants(&[0; 132])), Cause::Limit { .. }));
        assert!(matches!(dispatch(&|pass| pass.push_constants(&[0; 3])), Cause::Align { .. }));
        assert!(matches!(dispatch(&|pass| pass.set_binding_set(4, right_set)), Cause::Limit { .. }));
        let found = dispatch(&|pass| {
            pass.set_pipeline(scale);
            pass.set_binding_set(0, right_set);
            pass.push_constants(&[0; 4]);
            pass.dispatch(1, 65_536, 1);
        });
        assert!(matches!(found, Cause::Limit { what: "groups", value: 65_536, .. }), "{found}");
    });
}

/// The first error sticks; its place is named; nothing after it is recorded.
#[test]
fn the_first_error_sticks_with_its_place() {
    everywhere(|device| {
        let bytes = buffer(device, 64, BufferRoles::COPY_SRC | BufferRoles::COPY_DST);
        let frame = begin(device);
        let mut encoder = frame.encoder("places").unwrap();
        encoder.update_buffer(bytes, 0, &[0; 4]);
        encoder.push_scope("shadows");
        let mut pass = encoder.compute_pass("cascade 2");
        pass.dispatch(1, 1, 1);
        pass.push_constants(&[0; 3]);
        pass.end();
        assert!(!encoder.is_good());
        encoder.pop_scope();
        encoder.update_buffer(bytes, 100, &[0; 4]);
        let error = encoder.finish().unwrap_err();
        assert_eq!(error.cause, RecordCause::NoPipeline);
        assert_eq!(error.to_string(), "places / shadows / cascade 2, command 1: no pipeline is set");
    });
}

#[test]
fn slices_of_an_earlier_frame() {
    everywhere(|device| {
        let first = begin(device);
        let slice = first.alloc_uniform(&[0; 16]).unwrap();
        first.submit([]).unwrap();
        let found = cause(device, |encoder| encoder.compute_pass("p").set_uniform(0, slice));
        assert_eq!(found, RecordCause::ForeignSlice);
    });
}
