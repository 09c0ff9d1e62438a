//! Reference engines: Plumb under the names `plumb`, `skill-N` and `depth-N`.

/// A reference engine by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The value of the option `Skill Level`.
    pub(super) skill_level: Option<u32>,
    /// The depth limit in plies.
    pub(super) depth: Option<u32>,
}

impl Reference {
    /// Whether `name` is `plumb`, or begins like `skill-N` or `depth-N`.
    pub(super) fn is_name(name: &str) -> bool {
        name == "plumb" || name.starts_with("skill-") || name.starts_with("depth-")
    }

    /// The reference engine called `name`.
    ///
    /// # Errors
    /// The allowed numbers, if N is another one.
    pub(super) fn of_name(name: &str) -> Result<Self, String> {
        let number = |prefix: &str, most: u32| {
            let Some(text) = name.strip_prefix(prefix) else { return Ok(None) };
            let number = text.parse::<u32>().ok().filter(|number| *number <= most);
            number.map(Some).ok_or_else(|| format!("`{text}` is not a whole number up to {most}"))
        };
        let depth = number("depth-", 42)?.map(|depth| depth.max(1));
        Ok(Self { skill_level: number("skill-", 20)?, depth })
    }
}

/// The program `plumb` in the directory of the running program; if it is not there, its bare name, for a search on `PATH`.
pub fn plumb_program() -> String {
    let name = format!("plumb{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name(&name));
    let found =
        beside.filter(|path| path.is_file()).and_then(|path| path.into_os_string().into_string().ok());
    found.unwrap_or(name)
}
