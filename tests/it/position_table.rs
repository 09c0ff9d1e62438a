//! The table `tests/positions.tsv`: position texts, and the position or error that each must give.

pub(crate) struct Row {
    pub(crate) board: String,
    pub(crate) first_column: u32,
    pub(crate) is_command: bool,
    pub(crate) text: String,
    pub(crate) fen: Option<String>,
    error: String,
}

impl Row {
    pub(crate) fn error(&self, first_column: &str, board: &str) -> String {
        let size = self.error.split("a FEN of ").nth(1).and_then(|rest| rest.split(',').next());
        let board = board.replace("{}", size.unwrap_or_default());
        let error = self.error.replace("{first_column}", first_column).replace("{board}", &board);
        error.trim_end_matches("; ").to_owned()
    }
}

pub(crate) fn rows() -> Vec<Row> {
    let table = include_str!("../positions.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        let &[board, first, command, text, expected] = fields.as_slice() else { panic!("{line}") };
        let is_error = expected.contains("`: ");
        Row {
            board: board.to_owned(),
            first_column: first.parse().expect(line),
            is_command: command == "daemon",
            text: text.replace("\\u{feff}", "\u{feff}").replace("\\r", "\r"),
            fen: (!is_error).then(|| expected.to_owned()),
            error: expected.to_owned(),
        }
    });
    rows.collect()
}
