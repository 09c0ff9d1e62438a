//! Result files of a small example command.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Header, ResultFile, Row, Shard, Shards, remove_if_there, take_lock, write_all};

pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plumb-results-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("written");
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Square {
    number: u32,
    name: String,
    power: Option<u64>,
}

impl Row for Square {
    fn key(&self) -> String {
        self.number.to_string()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    number: u32,
}

impl Row for Part {
    const HAS_HEADER: bool = true;

    fn key(&self) -> String {
        self.number.to_string()
    }
}

fn square(number: u32) -> Square {
    Square { number, name: format!("a, {number}"), power: (number > 1).then(|| u64::from(number).pow(2)) }
}

fn header(hash: u32) -> Header {
    Header::new("squares").with_settings(&json!({ "hash": hash })).expect("a header")
}

type Opened<R> = anyhow::Result<(ResultFile<R>, Vec<R>)>;

fn open<R: Row>(path: &Path, header: &Header) -> Opened<R> {
    ResultFile::open(path, "--csv", header, take_lock(path, "--csv")?)
}

fn refused<R: Row>(path: &Path, header: &Header) -> String {
    let text = fs::read(path).expect("it is there");
    let Err(error) = open::<R>(path, header) else { panic!("it is refused") };
    assert_eq!(fs::read(path).expect("it is there"), text, "it is left alone");
    error.to_string().replace(&*path.to_string_lossy(), "FILE")
}

#[test]
fn rows_are_resumed_as_they_were_written() {
    let directory = Directory::new("rows");
    let path = directory.path("a.csv");
    let (mut file, rows) = open::<Square>(&path, &header(1)).expect("a new one");
    assert_eq!(rows, []);
    file.append(&square(1)).expect("written");
    file.append(&square(2)).expect("written");
    let whole = "number,name,power\n1,\"a, 1\",\n2,\"a, 2\",4\n";
    assert_eq!(fs::read_to_string(&path).expect("it is there"), whole);
    assert!(refused::<Square>(&path, &header(1)).contains("is being written by another run"));
    drop(file);
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("written");
        let (mut file, rows) = open::<Square>(&path, &header(1)).expect("the same");
        let count = whole[..cut].matches('\n').count().saturating_sub(1);
        assert_eq!(rows, (1..=count as u32).map(square).collect::<Vec<_>>(), "cut at {cut}");
        (rows.len() as u32 + 1..=2).for_each(|number| file.append(&square(number)).expect("written"));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), whole, "cut at {cut}");
    }
    // Rows are written in pairs, so a single last row is removed.
    file_of(&path, 1, 2).0.append(&square(3)).expect("written");
    assert_eq!(file_of(&path, 1, 2).1, [square(1), square(2)]);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), whole);
}

fn file_of(path: &Path, results: usize, batch: usize) -> (ResultFile<Square>, Vec<Square>) {
    let (header, lock) = (header(1).of_shard(Shard::WHOLE, results), take_lock(path, "--csv"));
    ResultFile::open_in_batches(path, "--csv", &header, lock.expect("free"), batch).expect("the same")
}

#[test]
fn a_shard_grows_and_never_shrinks() {
    let directory = Directory::new("growth");
    let path = directory.path("a.csv");
    for (given, recorded) in [(2, 2), (3, 3), (1, 3)] {
        drop(file_of(&path, given, 1));
        let found = Header::find(&path).expect("JSON").expect("it is there");
        assert_eq!(found, header(1).of_shard(Shard::WHOLE, recorded));
    }
}

#[test]
fn what_is_not_this_file_is_left_alone() {
    let directory = Directory::new("foreign");
    let path = directory.file("a.csv", "a,b\n1,2\n");
    assert_eq!(
        refused::<Square>(&path, &header(1)),
        "`FILE` has no header of results, `FILE.header`: it is of another program or version; give another `--csv`"
    );
    header(1).write(&path).expect("written");
    let said = refused::<Square>(&path, &header(1));
    assert_eq!(said, "`FILE` has the columns `a,b`, expected `number,name,power`");
    assert_eq!(
        refused::<Square>(&path, &header(2)),
        "`FILE` has other settings: `hash`: recorded 1, given 2; remove it or give another `--csv`"
    );
    fs::write(&path, "number,name,power\n").expect("written");
    assert!(refused::<Square>(&path, &header(2)).contains("has other settings"));
    fs::write(&path, "number,name,power\n1,a,\n2,b,x\n").expect("written");
    assert_eq!(refused::<Square>(&path, &header(1)), "FILE:3: `2,b,x`: expected `number,name,power`");
    fs::write(&path, "number,name,power\n1,a,\n2,b,\n1,b,\n").expect("written");
    assert_eq!(refused::<Square>(&path, &header(1)), "`FILE`: 1 occurs twice, in lines 2 and 4");
    fs::write(&path, "").expect("written");
    assert_eq!(open::<Square>(&path, &header(2)).expect("with nothing in it, it is nobody's").1, []);
    let file = ResultFile::<Square>::create(&path, "--csv").expect("a new one");
    assert!(ResultFile::<Square>::create(&path, "--csv").is_err());
    drop(file);
    assert!(remove_if_there(&directory.path("none")).is_ok());
    assert!(remove_if_there(&directory.path("")).is_err());
}

#[test]
fn a_header_of_a_newer_version_is_refused_by_name() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Settings {
        #[serde(rename = "hash")]
        _hash: u32,
    }
    let directory = Directory::new("newer");
    let line = header(1).line().expect("JSON");
    let newer = line.replace("\"kind\"", "\"weight\":1,\"kind\"").replace("plumb-lab", "newer-lab");
    let sidecar = directory.file("a.csv.header", &newer);
    let part = directory.file("a.part", &(newer + "\nnumber\n5\n"));
    let errors = [
        Header::find(&sidecar.with_extension("")).expect_err("a newer version"),
        crate::result_files::read::<Part>(&part).expect_err("a newer version"),
        Header::new("squares")
            .with_settings(&json!({ "hash": 1, "weight": 1 }))
            .and_then(|header| header.settings::<Settings>().map(drop))
            .expect_err("a newer version"),
    ];
    for error in errors {
        let said = format!("{error:#}");
        assert!(said.contains("unknown field `weight` in the header: use "), "{said}");
    }
}

#[test]
fn a_part_has_its_header_within() {
    let directory = Directory::new("part");
    let path = directory.path("a.part");
    let (mut file, _) = open::<Part>(&path, &header(1)).expect("a new one");
    file.append(&Part { number: 5 }).expect("written");
    drop(file);
    assert!(refused::<Part>(&path, &header(2)).starts_with("`FILE` has other settings: "));
    assert_eq!(open::<Part>(&path, &header(1)).expect("the same").1, [Part { number: 5 }]);
    let text = header(1).line().expect("JSON") + "\nnumber\n5\n";
    assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
    fs::write(&path, text + "x\n").expect("written");
    assert_eq!(refused::<Part>(&path, &header(1)), "FILE:4: `x`: expected `number`");
    fs::write(&path, "mine\n").expect("written");
    assert!(refused::<Part>(&path, &header(1)).starts_with("`FILE` begins with `mine`, expected the header"));
}

#[test]
fn only_all_shards_of_one_run_are_merged() {
    let directory = Directory::new("merge");
    let part = |name: &str, shard: &str, results, hash, numbers: &[u32]| {
        let path = directory.path(name);
        let header = header(hash).of_shard(shard.parse().expect("a shard"), results);
        Header::remove(&path).and_then(|()| remove_if_there(&path)).expect("removed");
        let rows: Vec<_> = numbers.iter().copied().map(square).collect();
        write_all(&path, "--csv", &header, &rows).expect("written");
        path
    };
    let one = part("one", "1/2", 2, 64, &[1, 2]);
    let two = part("two", "2/2", 1, 64, &[3]);
    let read = |files: &[&PathBuf]| {
        Shards::read("squares", &files.iter().map(|&file| file.clone()).collect::<Vec<_>>())
    };
    let shards = read(&[&two, &one]).expect("both");
    assert_eq!(shards.rows::<Square>().expect("whole"), [1, 2, 3].map(square));
    assert_eq!(shards.header(), header(64));
    let refused = |files: &[&PathBuf]| read(files).expect_err("refused").to_string();
    assert_eq!(refused(&[&two]), "shard 1/2 is missing");
    assert_eq!(refused(&[]), "there is nothing to merge");
    assert!(refused(&[&one, &one]).ends_with("are both shard 1/2"));
    let other = part("other", "2/2", 1, 16, &[3]);
    assert!(refused(&[&one, &other]).ends_with("are shards of different runs: `hash`: 64 and 16"));
    let other = part("other", "2/3", 1, 64, &[3]);
    assert!(refused(&[&one, &other]).ends_with("are shards of different runs: `shard`: 1/2 and 2/3"));
    assert!(refused(&[&one, &directory.path("foreign")]).contains("foreign` is not a shard: there is no `"));
    let error = Shards::read("boards", std::slice::from_ref(&one)).expect_err("another command").to_string();
    assert!(error.contains("is a shard of `plumb-lab squares`, not of `plumb-lab boards`"), "{error}");
    let error = write_all(&one, "--csv", &header(64), &[square(1)]).expect_err("a shard").to_string();
    assert!(error.ends_with("is shard 1/2 of a run: give another `--csv`"), "{error}");
    let whole = directory.path("whole");
    let write = |numbers: &[u32]| {
        let rows: Vec<_> = numbers.iter().copied().map(square).collect();
        write_all(&whole, "--csv", &header(64), &rows).map_err(|error| error.to_string())
    };
    assert_eq!((write(&[1, 2]), write(&[1, 2, 3])), (Ok(()), Ok(())));
    let error = write(&[1, 2]).expect_err("a row would be lost");
    assert!(error.ends_with("whole` has `3`, which would be lost: give another `--csv`"), "{error}");
    // `suite` without `--shard` writes no header. Its rows are protected, too.
    Header::remove(&whole).expect("removed");
    assert!(write(&[1, 2]).expect_err("a row would be lost").contains("whole` has `3`"));
    assert_eq!(write(&[1, 2, 3]), Ok(()));
    fs::write(&whole, "mine\n").expect("written");
    let error = write(&[1]).expect_err("a foreign file");
    assert!(error.ends_with("has the columns `mine`, expected `number,name,power`; give another `--csv`"));
    Header::remove(&whole).expect("removed");
    let error = header(64).begin(&whole, "--out").expect_err("a foreign file").to_string();
    assert!(error.ends_with("whole` has no header of results; give another `--out`"), "{error}");
    assert_eq!(fs::read(&whole).expect("it is there"), b"mine\n");

    let unfit = |other: &PathBuf| {
        read(&[&one, other]).expect("both").rows::<Square>().expect_err("it does not fit").to_string()
    };
    let text = unfit(&part("two", "2/2", 2, 64, &[3]));
    assert!(text.contains("is not complete: shard 2/2 has 1 of 2 results"), "{text}");
    let text = unfit(&part("two", "2/2", 1, 64, &[2]));
    assert!(text.starts_with("2 occurs in `") && text.contains("` and in `"), "{text}");
}
