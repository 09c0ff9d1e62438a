#!/usr/bin/env python3
"""Fits the evaluation of boards that are too large to be solved. Needs NumPy and SciPy.

    cargo run --release -p plumb-arena --example evaluation_games -- 8x8 5000 >8x8.txt    # and further boards
    tools/research/fit_evaluation.py *.txt --out src/search/evaluation/weights.rs
    cargo fmt

The games are games of the engine with itself, so the model gets better if both steps are repeated. The model is a
logistic regression of the result on the features. A weight is a start and a growth from the empty to the full board.
Boards of even height, of odd height and even width, and of odd height and width have a model each, because the number
of cells decides who runs out of harmless moves. A group without a file keeps no weights, so name files of all groups.

Every tenth game is held out. The table is about the held-out games: log-loss and share of results that are guessed
right. Draws count as half a win. `--out` fits the model again on all games.
"""

import argparse

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

PATTERNS = 22
ZUGZWANGS = 27
FEATURES = 2 * PATTERNS + ZUGZWANGS + 1
PENALTY = 3e-5
ITERATIONS = 150
GROUPS = {
    "EVEN_HEIGHT": lambda width, height: height % 2 == 0,
    "ODD_HEIGHT": lambda width, height: height % 2 == 1 and width % 2 == 0,
    "ODD_HEIGHT_AND_WIDTH": lambda width, height: height % 2 == 1 and width % 2 == 1,
}


def read(paths):
    """Returns game, result from 0 to 1, and the features followed by the features times the filled share."""
    games, results, features = [], [], []
    for number, path in enumerate(paths):
        rows = np.loadtxt(path, dtype=np.int32)
        game, result, plies, cells = rows[:, :4].T
        zugzwang = np.eye(ZUGZWANGS, dtype=np.float32)[rows[:, -1]]
        turn = 1 - 2 * (plies % 2)
        start = np.column_stack([rows[:, 4:-1], zugzwang, turn]).astype(np.float32)
        features.append(np.hstack([start, start * (plies / cells)[:, None].astype(np.float32)]))
        games.append(game + number * 10_000_000)
        results.append(result / 2)
    return np.concatenate(games), np.concatenate(results).astype(np.float32), np.concatenate(features)


def fit(features, results):
    """Returns the weights. Features are scaled, so the penalty treats them alike."""
    scale = features.std(axis=0) + 0.01
    scaled = features / scale

    def loss(weights):
        weights = weights.astype(np.float32)
        odds = scaled @ weights
        value = log_loss(odds, results) + PENALTY * (weights @ weights)
        gradient = scaled.T @ (expit(odds) - results) / len(results) + 2 * PENALTY * weights
        return float(value), gradient.astype(np.float64)

    start = np.zeros(features.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x / scale


def log_loss(odds, results):
    return -(results * log_expit(odds) + (1 - results) * log_expit(-odds)).mean()


def rust(name, weights):
    """Returns a Rust static of the weights in thousandths."""
    start, growth = np.rint(1000 * weights.reshape(2, FEATURES)).astype(int)
    return f"static {name}: Weights = Weights {{ start: {rust_set(start)}, growth: {rust_set(growth)} }};\n"


def rust_set(weights):
    patterns = weights[: 2 * PATTERNS].reshape(2, PATTERNS).tolist()
    zugzwang = weights[2 * PATTERNS : -1].tolist()
    return f"WeightSet {{ patterns: {patterns}, zugzwang: {zugzwang}, turn: {weights[-1]} }}"


def size(path):
    """Returns width and height from a file name such as `8x8.txt` or `8x8-2.txt`."""
    name = path.rsplit("/", 1)[-1].split(".")[0].split("-")[0]
    width, height = name.split("x")
    return int(width), int(height)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="FILE", help="output of the example, named by its board")
    parser.add_argument("--out", help="file for the weights")
    arguments = parser.parse_args()

    print("| group | games | positions | log-loss | guessed right |\n|---|---:|---:|---:|---:|")
    code = HEAD
    for name, is_member in GROUPS.items():
        games, results, features = read([path for path in arguments.paths if is_member(*size(path))])
        held_out = games % 10 == 0
        odds = features[held_out] @ fit(features[~held_out], results[~held_out])
        decided = results[held_out] != 0.5
        right = ((odds > 0) == (results[held_out] > 0.5))[decided].mean()
        loss = log_loss(odds, results[held_out])
        print(f"| {name} | {len(np.unique(games))} | {len(games)} | {loss:.3f} | {right:.1%} |", flush=True)
        if arguments.out:
            code += "\n" + rust(name, fit(features, results))
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(code)


HEAD = """//! Weights of the evaluation on large boards, generated by `tools/research/fit_evaluation.py`. Do not edit;
//! `tools/research/notes/evaluation.md` has the commands.

use super::{PATTERNS, ZUGZWANGS};
use crate::board::BoardSize;

pub(super) struct Weights {
    /// Weights on the empty board.
    pub(super) start: WeightSet,
    /// Change of the weights from the empty to the full board.
    pub(super) growth: WeightSet,
}

/// Weights in thousandths of a logit (logarithm of the odds).
pub(super) struct WeightSet {
    /// Weight of each pattern, by player and index in [`patterns`](super::Features::patterns).
    pub(super) patterns: [[i32; PATTERNS]; 2],
    pub(super) zugzwang: [i32; ZUGZWANGS],
    /// Bonus for the side to move.
    pub(super) turn: i32,
}

impl Weights {
    #[inline]
    pub(super) fn of(size: BoardSize) -> &'static Self {
        match (size.height % 2, size.width % 2) {
            (0, _) => &EVEN_HEIGHT,
            (_, 0) => &ODD_HEIGHT,
            _ => &ODD_HEIGHT_AND_WIDTH,
        }
    }
}
"""

if __name__ == "__main__":
    main()
