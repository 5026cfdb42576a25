//! `pellucid completions` and `pellucid man`: what clap knows of the command, for shells and for man(1).

use super::args::Args;
use super::console;
use super::failure::{Failure, Kind};
use clap::CommandFactory as _;
use clap_complete::Shell;
use pellucid::platform::files;
use std::path::Path;

pub fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "pellucid", &mut script);
    console::print(String::from_utf8_lossy(&script).trim_end())
}

pub fn man(folder: Option<&Path>) -> Result<(), Failure> {
    let mut command = Args::command();
    // Gives each subcommand its full usage line and its name as `pellucid-render`.
    command.build();
    let Some(folder) = folder else {
        return console::print(String::from_utf8_lossy(&page(&command)?).trim_end());
    };
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    for command in std::iter::once(&command).chain(subcommands) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        files::write_atomic(&folder.join(format!("{name}.1")), &page(command)?)?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Failure::new(Kind::Output, format!("can't make the manual page: {error}")))?;
    Ok(page)
}
