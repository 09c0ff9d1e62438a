use super::*;

fn set(options: &mut Options, name: &str, value: Option<&str>) -> Result<Effect, String> {
    let name = Token::new(name.to_owned(), name, 15);
    let value = value.map(|value| Token::new(value.to_owned(), value, 30));
    options.set(&name, value.as_ref()).map_err(|error| error.to_string())
}

#[test]
fn names_differ_even_without_case() {
    let mut names: Vec<_> = Options::declarations().iter().map(|option| option.name.to_lowercase()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), Options::declarations().len());
}

#[test]
fn every_declared_default_can_be_set() {
    for OptionDeclaration { name, kind } in Options::declarations() {
        let value = match kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
            OptionKind::Button => String::new(),
        };
        let mut options = Options::default();
        set(&mut options, &name, Some(&value)).expect("a default is a value");
        let declared =
            |options: &Options| options.documented().into_iter().map(|(declaration, _)| declaration);
        assert!(declared(&options).eq(Options::declarations()), "{name}");
    }
}

#[test]
fn names_and_values_are_case_insensitive() {
    let mut options = Options::default();
    assert_eq!(set(&mut options, "hash", Some("128")), Ok(Effect::Resize));
    assert_eq!(set(&mut options, "CLEAR hash", Some("true")), Ok(Effect::ForgetSearches));
    assert_eq!(set(&mut options, "Clear Hash", None), Ok(Effect::ForgetSearches));
    assert_eq!(set(&mut options, "notation", Some("LETTER")), Ok(Effect::None));
    assert_eq!(set(&mut options, "uci_variant", Some("CFour8X7")), Ok(Effect::SetVariant));
    assert_eq!(set(&mut options, "uci_variant", Some("CFour")), Ok(Effect::SetVariant));
    assert_eq!((options.hash_megabytes(), options.notation), (128, Notation::Letter));
    assert_eq!(set(&mut options, "variantPATH", Some("/tmp/variants.ini")), Ok(Effect::None));
    assert_eq!(set(&mut options, "showwdl", Some("TRUE")), Ok(Effect::None));
    assert!(options.show_wdl);
}

#[test]
fn values_reach_the_search() {
    let mut options = Options::default();
    assert_eq!((options.settings().seed, options.move_overhead()), (None, None));
    for (name, value) in [("Seed", "7"), ("Move Overhead", "10"), ("MultiPV", "3"), ("Threads", "2")] {
        set(&mut options, name, Some(value)).expect("valid");
    }
    let Settings { multi_pv, threads, own_book, swindle, seed, .. } = options.settings();
    assert_eq!((multi_pv.get(), threads.get(), own_book, swindle), (3, 2, true, true));
    assert_eq!(seed.map(NonZeroU32::get), Some(7));
    assert_eq!(options.move_overhead(), Some(Duration::from_millis(10)), "in full, as it was set");
}

#[test]
fn the_strength_follows_from_four_options() {
    let strength = |lines: &[(&str, &str)]| {
        let mut options = Options::default();
        for (name, value) in lines {
            set(&mut options, name, Some(value)).expect("valid");
        }
        options.settings().strength
    };
    assert_eq!(strength(&[]), Strength::Full);
    assert_eq!(strength(&[("Skill Level", "0")]), Strength::Level(0.0));
    assert_eq!(strength(&[("Skill Level", "19")]), Strength::Level(19.0));
    let limited = Strength::Level(level_for_elo(MIN_ELO));
    assert_eq!(strength(&[("UCI_LimitStrength", "true"), ("Skill Level", "19")]), limited);
    let analysing = [("UCI_AnalyseMode", "true"), ("UCI_LimitStrength", "true"), ("Skill Level", "3")];
    assert_eq!(strength(&analysing), Strength::Full);
}

#[test]
fn the_empty_string_has_two_spellings() {
    assert_eq!(String::parse("<Empty>"), Ok(String::new()));
    assert_eq!(String::parse(""), Ok(String::new()));
    assert_eq!(String::parse("/tmp/a  b"), Ok("/tmp/a  b".to_owned()));
}
