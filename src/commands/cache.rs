//! `cudair cache`.

use crate::cli::Cache;

/// What the cache holds, once it was cleared where that is asked for.
#[cfg(unix)]
pub fn cache(command: &Cache) -> Result<String, String> {
    use crate::cache::{Folder, bound, place};
    let Some(path) = place() else {
        return Ok("there is no cache: neither XDG_CACHE_HOME nor HOME names a folder\n".to_owned());
    };
    let folder = Folder::open(false)?;
    let before = folder.as_ref().map(Folder::contents).unwrap_or_default();
    let what = |n| if n == 1 { "entry" } else { "entries" };
    if command.clear {
        if let Some(folder) = &folder {
            folder.clear().map_err(|e| format!("{} cannot be cleared: {e}", folder.path().display()))?;
        }
        let (entries, bytes) = (before.entries, before.bytes);
        return Ok(format!("{}: {entries} {} removed, {bytes} bytes\n", path.display(), what(entries)));
    }
    let (entries, bytes, most) = (before.entries, before.bytes, bound());
    Ok(format!("{}: {entries} {}, {bytes} of {most} bytes\n", path.display(), what(entries)))
}

/// Where files have no owner there is none.
#[cfg(not(unix))]
pub fn cache(_: &Cache) -> Result<String, String> {
    Ok("there is no cache on this system\n".to_owned())
}
