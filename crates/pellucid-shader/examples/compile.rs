//! Compiles a crate's shaders and prints what each needs: `compile CRATE_DIR OUT_DIR`.
use pellucid_shader::build::{BuildRequest, compile};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, crate_dir, out_dir] = &arguments[..] else {
        eprintln!("compile CRATE_DIR OUT_DIR");
        return ExitCode::from(2);
    };
    match compile(&BuildRequest::for_crate(Path::new(crate_dir), Path::new(out_dir))) {
        Ok(report) => {
            for shader in &report.shaders {
                println!("{} ({} bytes)", shader.record.name, shader.spirv.len());
                for binding in &shader.record.bindings {
                    println!(
                        "  {} {} {:?} {} x{}",
                        binding.set, binding.binding, binding.kind, binding.name, binding.count
                    );
                }
            }
            println!("compiled {:?}, reused {:?}", report.compiled, report.reused);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
