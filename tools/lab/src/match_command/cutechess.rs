//! Words of cutechess-cli on the command line of a match, and what stands for them here.

/// A word, and what does it here.
const WORDS: [(&str, &str); 22] = [
    ("-concurrency", "`--concurrency N`"),
    ("-debug", "`--log FILE`"),
    ("-draw", "`--draw movenumber=N,movecount=N,score=N`"),
    ("-each", "`--each KEY=VALUE,…`"),
    ("-engine", "`--engine KEY=VALUE,…`"),
    ("-event", "`--event NAME`"),
    ("-games", "`--rounds N`, the number of openings, each of which is played twice"),
    ("-maxmoves", "nothing: a board is full in the end"),
    ("-noswap", "`--no-swap`"),
    ("-openings", "`--openings FILE`"),
    ("-pgnout", "`--out DIR`, which gets games.pgn"),
    ("-ratinginterval", "`--report-every N`"),
    ("-recover", "`--recover`"),
    ("-repeat", "what it does anyway: each opening is played with both colours"),
    ("-resign", "`--resign movecount=N,score=N`"),
    ("-rounds", "`--rounds N`"),
    ("-site", "`--site NAME`"),
    ("-sprt", "`--sprt ELO0,ELO1`"),
    ("-srand", "`--seed S`"),
    ("-tournament", "`--tournament KIND`"),
    ("-variant", "`--board WxH`: the game is Connect Four"),
    ("-wait", "`--wait MS`"),
];

/// A sentence about the first of the `words` that is one of cutechess, if any is.
pub(crate) fn hint(words: &[String]) -> Option<String> {
    let known = |word: &String| WORDS.iter().find(|(known, _)| known == word);
    let (word, here) = words.iter().find_map(known)?;
    Some(format!("`{word}` is a word of cutechess: here it is {here}"))
}
