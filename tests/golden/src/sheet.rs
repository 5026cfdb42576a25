//! A contact sheet: pictures side by side in one HTML page that opens from disk.
use crate::picture::{Picture, PictureError};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A sheet being filled. Its pictures are written at once, its page by [`Sheet::finish`].
#[derive(Debug)]
pub struct Sheet {
    folder: PathBuf,
    title: String,
    rows: String,
}

impl Sheet {
    /// Starts a sheet whose files go below `folder`.
    #[must_use]
    pub fn new(folder: &Path, title: &str) -> Self {
        Self { folder: folder.to_owned(), title: title.to_owned(), rows: String::new() }
    }

    /// Adds a row: a title, what was found, and captioned pictures. `bad` marks it.
    ///
    /// # Errors
    /// [`PictureError`] when a picture can't be written.
    pub fn row(
        &mut self,
        name: &str,
        found: &str,
        bad: bool,
        pictures: &[(&str, &Picture)],
    ) -> Result<(), PictureError> {
        let class = if bad { " class=bad" } else { "" };
        // Writing to a string can't fail.
        let _ = write!(self.rows, "<tr{class}><th>{}<br><small>{}</small>", escape(name), escape(found));
        for (caption, picture) in pictures {
            let file = format!("{}-{}.png", plain(name), plain(caption));
            picture.save(&self.folder.join(&file))?;
            let _ = write!(
                self.rows,
                "<td><img src=\"{file}\" width={} height={} alt=\"\"><br>{}",
                picture.width(),
                picture.height(),
                escape(caption)
            );
        }
        self.rows.push('\n');
        Ok(())
    }

    /// Writes `index.html` and says where it is.
    ///
    /// # Errors
    /// [`PictureError::Io`] when it can't be written.
    pub fn finish(self, page: &str) -> Result<PathBuf, PictureError> {
        let path = self.folder.join(page);
        let html = format!(
            "<!doctype html><meta charset=utf-8><title>{0}</title>\n<style>\n\
             body {{ background: #808080; color: #fff; font: 14px sans-serif }}\n\
             th {{ text-align: left; vertical-align: top; padding: 8px; max-width: 16em }}\n\
             td {{ padding: 4px }} img {{ max-width: 320px; height: auto }}\n\
             .bad th {{ background: #a00 }}\n</style>\n<h1>{0}</h1>\n<table>\n{1}</table>\n",
            escape(&self.title),
            self.rows
        );
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| PictureError::Io { path, source }
        };
        std::fs::create_dir_all(&self.folder).map_err(io(&self.folder))?;
        std::fs::write(&path, html).map_err(io(&path))?;
        Ok(path)
    }
}

/// Text made safe inside HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text made safe as part of a file's name.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_refers_to_files_that_exist() {
        let folder = std::env::temp_dir().join(format!("pellucid-sheet-{}", std::process::id()));
        let picture = Picture::new(1, 1, vec![[1, 2, 3, 255]]).unwrap();
        let mut sheet = Sheet::new(&folder, "a < b");
        sheet.row("Box/aces", "fine", false, &[("ours", &picture)]).unwrap();
        let html = std::fs::read_to_string(sheet.finish("index.html").unwrap()).unwrap();
        assert!(html.contains("a &lt; b") && html.contains("Box-aces-ours.png"));
        assert!(folder.join("Box-aces-ours.png").is_file());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
