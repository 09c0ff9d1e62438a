//! Start of a program: reads the command line, runs the command and prints its error.

use std::env;
use std::error::Error;
use std::fmt::Display;
use std::io::{Write, stderr};
use std::process::ExitCode;
use std::slice;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Parser};

use crate::exit::{self, End};
use crate::output;

/// Makes advice about a wrong command line. `unknown` is the word that clap does not know, if any.
pub type Hint = fn(given: &[String], unknown: Option<&str>) -> Option<String>;

/// Parses the command line, which `command` describes, and runs the program.
pub fn run<C: Parser>(command: &Command, hint: Hint, run: impl FnOnce(C) -> Result<()>) -> ExitCode {
    let parsed = command.clone().try_get_matches().and_then(|matches| C::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return refuse(command, &error, hint),
    };
    let Err(error) = run(cli).and_then(|()| output::check_printed()) else { return ExitCode::SUCCESS };
    let code = exit::code(&error);
    match error.downcast_ref() {
        Some(End::Closed | End::Differing) => ExitCode::from(code),
        _ => complain(command.get_name(), format!("{error:#}"), code),
    }
}

fn complain(name: &str, sentence: impl Display, code: u8) -> ExitCode {
    // Standard error may be closed.
    let _ = writeln!(stderr(), "{name}: {sentence}");
    ExitCode::from(code)
}

/// Prints the requested help, or the error message.
fn refuse(command: &Command, error: &clap::Error, hint: Hint) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit();
    }
    let given: Vec<_> =
        env::args_os().skip(1).take(100).map(|word| word.to_string_lossy().into_owned()).collect();
    let sentence = hint(&given, unknown_word(error)).unwrap_or_else(|| sentence(command, error, &given));
    complain(command.get_name(), sentence, 2)
}

fn texts(error: &clap::Error, kind: ContextKind) -> &[String] {
    match error.get(kind) {
        Some(ContextValue::String(text)) => slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    // The last suggestion of clap is the most similar word.
    texts(error, kind).last().map(String::as_str)
}

fn unknown_word(error: &clap::Error) -> Option<&str> {
    match error.kind() {
        ErrorKind::UnknownArgument => text(error, ContextKind::InvalidArg),
        // clap mistakes an extra word without a dash for a subcommand.
        ErrorKind::ArgumentConflict => text(error, ContextKind::InvalidSubcommand),
        _ => None,
    }
}

/// The error message: the argument, what is wrong with it, and what to do.
fn sentence(command: &Command, error: &clap::Error, given: &[String]) -> String {
    let place = place(command, given);
    let see = format!("see `{place} --help`");
    let name = text(error, ContextKind::InvalidArg).map(name_of).unwrap_or_default();
    if let Some(word) = unknown_word(error) {
        let suggestion = text(error, ContextKind::SuggestedArg);
        return match text(error, ContextKind::PriorArg) {
            Some(one) if !one.contains("...") && !one.starts_with('-') => {
                let command = place.split(' ').next_back().unwrap_or_default();
                format!("`{command}` takes one {}; `{word}` is a second one; {see}", name_of(one))
            }
            _ => unknown(word, suggestion, given, &see),
        };
    }
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            match text(error, ContextKind::SuggestedSubcommand) {
                Some(suggestion) => format!("no command `{word}`; did you mean `{suggestion}`?"),
                None => format!("no command `{word}`; {see}"),
            }
        }
        ErrorKind::InvalidValue => {
            let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
            let expected = texts(error, ContextKind::ValidValue);
            let typed = typed(name, value);
            match text(error, ContextKind::SuggestedValue) {
                _ if value.is_empty() => format!("`{name}`: the value is missing; {see}"),
                Some(suggestion) => format!("`{typed}`: did you mean `{suggestion}`?"),
                None => format!("`{typed}`: expected {}", list(expected)),
            }
        }
        ErrorKind::ValueValidation => {
            let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
            let fault = error.source().map(ToString::to_string).unwrap_or_default();
            let rest = fault.strip_prefix(&format!("`{value}`"));
            let rest = rest.and_then(|rest| rest.strip_prefix(": ").or(rest.strip_prefix(" is ")));
            format!("`{}`: {}", typed(name, value), plain(rest.unwrap_or(&fault)))
        }
        ErrorKind::MissingRequiredArgument => {
            let mut missing = texts(error, ContextKind::InvalidArg).to_vec();
            for argument in &mut missing {
                if let Some(group) = argument.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'))
                    && group.starts_with('-')
                {
                    let one_of = if group.contains('|') { "one of " } else { "" };
                    *argument = format!("{one_of}{}", group.replace('|', ", "));
                }
            }
            let missing = missing.join(" and ");
            if given.iter().any(|word| word == "--resume") {
                return format!("`--resume` continues the match of a directory: missing {missing}; {see}");
            }
            format!("missing {missing}; {see}")
        }
        ErrorKind::ArgumentConflict => {
            let other = text(error, ContextKind::PriorArg).map(name_of).unwrap_or_default();
            if name == other {
                format!("`{name}` is given twice")
            } else {
                format!("`{name}` cannot be used with `{other}`")
            }
        }
        _ => {
            let rendered = error.render().to_string();
            let first = rendered.split("\n\n").next().unwrap_or_default();
            let words: Vec<_> = first.split_whitespace().collect();
            format!("{}; {see}", words.join(" ").trim_start_matches("error: "))
        }
    }
}

/// The program and the given subcommands, such as `plumb-lab book build`.
fn place(command: &Command, given: &[String]) -> String {
    let (mut place, mut at) = (command.get_name().to_owned(), command);
    for word in given {
        let Some(next) = at.find_subcommand(word) else { break };
        place = format!("{place} {word}");
        at = next;
    }
    place
}

/// Name of an argument: `--threads` of `--threads <N>`, `FILE` of `<FILE>...`.
fn name_of(argument: &str) -> &str {
    argument.split([' ', '=']).next().unwrap_or_default().trim_matches(['<', '>', '[', ']', '.'])
}

/// A wrong value with its flag, if any: `--flag VALUE`.
fn typed(name: &str, value: &str) -> String {
    if name.starts_with('-') { format!("{name} {value}") } else { value.to_owned() }
}

fn unknown(word: &str, suggestion: Option<&str>, given: &[String], see: &str) -> String {
    let option = given.iter().take_while(|before| *before != word).last();
    match (suggestion, option) {
        (Some(suggestion), _) => format!("no option `{word}`; did you mean `{suggestion}`?"),
        (None, Some(option)) if option.starts_with('-') && word.parse::<f64>().is_ok() => {
            format!("`{option} {word}`: expected a positive number")
        }
        _ if word.starts_with('-') => format!("no option `{word}`; {see}"),
        _ => format!("unexpected word `{word}`; {see}"),
    }
}

fn list(words: &[String]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match &quoted[..] {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => quoted.concat(),
    }
}

/// Rewords an error message of clap or of Rust's number parsers.
fn plain(fault: &str) -> String {
    if let Some((_, range)) = fault.split_once(" is not in ")
        && let Some((first, last)) = range.split_once("..")
    {
        return match last.trim_start_matches('=') {
            "" => format!("expected a number of at least {first}"),
            last => format!("expected a number from {first} to {last}"),
        };
    }
    let sentence = match fault {
        "number would be zero for non-zero type" => "expected a number of at least 1",
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number"
        }
        "invalid float literal" | "cannot parse float from empty string" => "expected a number",
        "number too large to fit in target type" => "the number is too large",
        "number too small to fit in target type" => "the number is too small",
        own => own,
    };
    sentence.to_owned()
}
