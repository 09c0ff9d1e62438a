//! Engines that go by a name alone: this project's daemon, whole or held back.

use super::participant::Participant;

/// The daemon beside this program; if it is not there, the one that the shell would find.
fn daemon() -> String {
    let name = format!("plumb{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name));
    let found =
        beside.filter(|path| path.is_file()).and_then(|path| path.into_os_string().into_string().ok());
    found.unwrap_or(name)
}

/// Whether `name` is one of `plumb`, `skill-N` and `depth-N`, with any number.
pub(super) fn is_reference(name: &str) -> bool {
    name == "plumb" || name.starts_with("skill-") || name.starts_with("depth-")
}

/// Makes the reference engine `name` of a participant.
///
/// # Errors
/// Which numbers are possible, if it is another one.
pub(super) fn set(participant: &mut Participant, name: &str) -> Result<(), String> {
    let number = |prefix: &str, most: u32| {
        let text = name.strip_prefix(prefix)?;
        let number = text.parse::<u32>().ok().filter(|number| *number <= most);
        Some(number.ok_or_else(|| format!("`{text}` is not a whole number up to {most}")))
    };
    if let Some(level) = number("skill-", 20) {
        participant.options.push(("Skill Level".to_owned(), level?.to_string()));
    } else if let Some(depth) = number("depth-", 42) {
        participant.control.depth = Some(depth?.max(1));
    }
    name.clone_into(&mut participant.name);
    participant.command = vec![daemon()];
    Ok(())
}
