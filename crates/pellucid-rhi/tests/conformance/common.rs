//! Devices under test and the shaders' compiler.
use pellucid_rhi::*;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Tests of the shared instance take turns, so that each knows its own messages.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Most tests share an instance of each kind: some drivers can't be loaded and unloaded dozens of times.
static VALIDATED: OnceLock<Instance> = OnceLock::new();
static PLAIN: OnceLock<Instance> = OnceLock::new();

/// A Vulkan device under the validation layer. Without an adapter or the layer the test fails: a suite that
/// skips proves nothing.
pub fn vulkan_instance() -> Instance {
    let desc = InstanceDesc { app_name: "conformance", backend: BackendChoice::Vulkan, validation: true };
    let instance = Instance::new(&desc).expect("a Vulkan instance with the validation layer");
    assert!(!instance.adapters().is_empty(), "no Vulkan adapter: install mesa-vulkan-drivers");
    instance
}

/// Hardware when `PELLUCID_ADAPTER` names it, software otherwise, so that results do not depend on the machine.
pub fn choose(instance: &Instance) -> AdapterId {
    let name = std::env::var("PELLUCID_ADAPTER").unwrap_or_else(|_| "software".to_owned());
    let request = AdapterRequest { name: Some(&name), ..AdapterRequest::default() };
    select_adapter(instance.adapters(), &request).expect("the adapter under test")
}

/// Runs a test of the shared instance and then asks the validation layer.
pub fn on_instance(test: impl FnOnce(&Instance)) {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let instance = VALIDATED.get_or_init(vulkan_instance);
    let before = instance.validation_messages().total();
    test(instance);
    let messages = instance.validation_messages();
    assert_eq!(messages.total(), before, "the validation layer said: {:#?}", messages.texts);
}

/// Runs a test on a Vulkan device and then asks the validation layer, the device's own end included.
pub fn on_vulkan_with(desc: &DeviceDesc<'_>, test: impl FnOnce(&Device)) {
    on_instance(|instance| {
        let device = instance.create_device(choose(instance), desc).expect("a device");
        test(&device);
    });
}

pub fn on_vulkan(test: impl FnOnce(&Device)) {
    on_vulkan_with(&DeviceDesc::default(), test);
}

/// Runs a test of initial bytes with staging, under validation, and without either: adapters that share the
/// host's memory are then written directly (layers of old don't know the extension for it).
pub fn both_ways(test: impl Fn(&Device)) {
    on_vulkan_with(&DeviceDesc { host_writes: false, ..DeviceDesc::default() }, &test);
    let instance = PLAIN.get_or_init(|| {
        let (app_name, backend) = ("conformance", BackendChoice::Vulkan);
        Instance::new(&InstanceDesc { app_name, backend, validation: false }).expect("a Vulkan instance")
    });
    let device = instance.create_device(choose(instance), &DeviceDesc::default()).expect("a device");
    test(&device);
}

pub fn null_device() -> Device {
    let desc = InstanceDesc { backend: BackendChoice::Null, ..InstanceDesc::default() };
    let instance = Instance::new(&desc).unwrap();
    instance.create_device(instance.adapters()[0].id, &DeviceDesc::default()).unwrap()
}

/// Runs a test of the facade on every backend.
pub fn everywhere(test: impl Fn(&Device)) {
    test(&null_device());
    on_vulkan(test);
}

pub fn begin(device: &Device) -> Frame {
    match device.begin_frame(FrameTarget::Offscreen { width: 64, height: 64 }).expect("a frame") {
        FrameStatus::Ready(frame) => frame,
        FrameStatus::Skipped(reason) => panic!("skipped: {reason:?}"),
    }
}

/// Records with one encoder and submits.
pub fn frame<T>(device: &Device, record: impl FnOnce(&Frame, &mut CommandEncoder<'_>) -> T) -> T {
    let frame = begin(device);
    let mut encoder = frame.encoder("test").expect("an encoder");
    let result = record(&frame, &mut encoder);
    let commands = encoder.finish().expect("valid commands");
    frame.submit([commands]).expect("a submission");
    result
}

/// A readback's bytes without padding.
pub fn read(device: &Device, readback: &Readback) -> Vec<u8> {
    let mut bytes = vec![0xcd; readback.size as usize];
    let row = readback.format.map_or(0, |format| readback.width * format.texel_bytes());
    device.wait_read(readback, &mut bytes, row).expect("a readback");
    bytes
}

pub fn read_u32(device: &Device, readback: &Readback) -> Vec<u32> {
    read(device, readback).as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

pub fn read_f32(device: &Device, readback: &Readback) -> Vec<f32> {
    read(device, readback).as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)).collect()
}

pub fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// This crate's folder, also where the suite was carried to another machine.
fn manifest() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

fn slang() -> PathBuf {
    if let Some(folder) = std::env::var_os("PELLUCID_SLANG_DIR") {
        return folder.into();
    }
    let cache = manifest().join("../../.cache/slang");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.join("slangc").exists());
    folders.sort();
    folders.pop().expect("no Slang toolchain: run `cargo xtask setup`, or set PELLUCID_SLANG_DIR")
}

/// SPIR-V of an entry point of a file in `tests/shaders`.
pub fn spirv(file: &str, entry: &str) -> Vec<u8> {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap());
    let source = manifest().join("tests/shaders").join(file);
    let output = folder.path().join(format!("{file}-{entry}.spv"));
    if !output.exists() {
        let part = output.with_extension(format!("{:?}", std::thread::current().id()));
        let compiled = Command::new(slang().join("slangc"))
            .arg(&source)
            .args(["-entry", entry, "-target", "spirv", "-profile", "spirv_1_5", "-O2"])
            .args(["-fvk-use-dx-layout", "-fvk-use-entrypoint-name", "-matrix-layout-column-major"])
            .arg("-o")
            .arg(&part)
            .output()
            .expect("slangc runs");
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{file}: {said}");
        std::fs::rename(part, &output).unwrap();
    }
    std::fs::read(output).unwrap()
}

pub fn shader(device: &Device, file: &str, entry: &str, stage: ShaderStages) -> Shader {
    let spirv = spirv(file, entry);
    device.create_shader(&ShaderDesc { name: entry, stage, entry, spirv: &spirv }).expect("a shader")
}

pub fn compute_pipeline(
    device: &Device,
    (file, entry): (&str, &str),
    layouts: &[BindingLayout],
    dynamic_uniforms: u32,
    push_constants: u32,
) -> ComputePipeline {
    let shader = shader(device, file, entry, ShaderStages::COMPUTE);
    let desc = ComputePipelineDesc { name: entry, shader, layouts, dynamic_uniforms, push_constants };
    let pipeline = device.create_compute_pipeline(&desc).expect("a pipeline");
    device.destroy(shader).unwrap();
    pipeline
}

pub fn layout(device: &Device, stages: ShaderStages, kinds: &[BindingKind]) -> BindingLayout {
    let slot = |(binding, &kind): (usize, &BindingKind)| BindingSlot {
        binding: binding as u32,
        kind,
        count: 1,
        stages,
    };
    let slots: Vec<_> = kinds.iter().enumerate().map(slot).collect();
    device.create_binding_layout(&BindingLayoutDesc { name: "layout", slots: &slots }).expect("a layout")
}

pub fn set(device: &Device, layout: BindingLayout, resources: &[BindingResource]) -> BindingSet {
    let entry = |(binding, &resource): (usize, &BindingResource)| BindingEntry::new(binding as u32, resource);
    let entries: Vec<_> = resources.iter().enumerate().map(entry).collect();
    device.create_binding_set(&BindingSetDesc { name: "set", layout, entries: &entries }).expect("a set")
}

pub fn buffer(device: &Device, size: u64, roles: BufferRoles) -> Buffer {
    device.create_buffer(&BufferDesc { name: "buffer", size, roles }).expect("a buffer")
}

pub fn buffer_with(device: &Device, bytes: &[u8], roles: BufferRoles) -> Buffer {
    let desc = BufferDesc { name: "buffer", size: bytes.len() as u64, roles };
    device.create_buffer_init(&desc, bytes).expect("a buffer")
}

/// A texture and a view of the whole of it.
pub fn target(device: &Device, format: Format, samples: u32, roles: TextureRoles) -> (Texture, TextureView) {
    let desc = TextureDesc { samples, ..TextureDesc::d2("target", format, 64, 64, roles) };
    let texture = device.create_texture(&desc).expect("a texture");
    (texture, view(device, texture))
}

pub fn view(device: &Device, texture: Texture) -> TextureView {
    let desc =
        TextureViewDesc { name: "view", texture, kind: ViewKind::D2, format: None, range: TextureRange::ALL };
    device.create_view(&desc).expect("a view")
}

pub const A_MOMENT: Duration = Duration::from_secs(10);
