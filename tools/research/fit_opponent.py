#!/usr/bin/env python3
"""Fits the model of fallible opponents that the option `Swindle` plays by. Needs NumPy and SciPy.

    cargo run --release -p plumb-arena --example opponent_moves -- DIR… >moves.jsonl
    tools/research/fit_opponent.py moves.jsonl --out src/search/opponent/weights.rs
    cargo fmt

DIR is the directory of a match with `--openings lost` or `drawn`. The model learns the moves of the engines that were not
under test. Players are of a few types, which expectation maximisation finds. A player of one type chooses a reply with a
probability that is a softmax over the weighted features of the replies (a conditional logit).

Every fifth game is held out. The tables are about the held-out games: the mean log-likelihood of a move if all moves are
equally likely, by a model of one type, by the model of all types, and by the model fitted without this opponent; then the
expected and observed shares of errors in ten groups of moves. `--out` fits the model again on all games.
"""

import argparse
import json
import sys
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve
from scipy.special import log_softmax, softmax

TYPES = 4
ROUNDS = 20
GROUPS = 10
# Lowest probability of a legal reply, as in `src/search/opponent/mod.rs`.
LEAST_PROBABILITY = 0.002
# Strength of the penalty on the squares of the weights, of the model and of the leaf evaluation.
PENALTY = 0.5
LEAF_PENALTY = 0.1
MAX_ITERATIONS = 50
# Utility of a reply that does not exist.
NONE = -1e30


@dataclass
class Choices:
    """Choices between alternatives: `features` by choice, alternative and feature, padded where `exists` is false."""

    features: np.ndarray
    exists: np.ndarray
    chosen: np.ndarray

    def of(self, wanted):
        return Choices(self.features[wanted], self.exists[wanted], self.chosen[wanted])

    def utilities(self, weights):
        return np.where(self.exists, self.features @ weights, NONE)


@dataclass
class Moves:
    """The moves of the opponents, in the order of the games."""

    rows: list
    game: np.ndarray
    choices: Choices

    @classmethod
    def read(cls, path):
        lines = [json.loads(line) for line in open(path, encoding="utf-8")]
        rows = sorted(lines[1:-1], key=lambda row: (row["game"], row["plies_after"]))
        if not rows:
            sys.exit("the matches have no moves to learn from")
        return cls.of_rows(rows), lines[0]["features"], lines[-1]["games"]

    @classmethod
    def of_rows(cls, rows):
        most = max(len(row["replies"]) for row in rows)
        features = np.zeros((len(rows), most, len(rows[0]["replies"][0])))
        exists = np.zeros((len(rows), most), dtype=bool)
        for number, row in enumerate(rows):
            features[number, : len(row["replies"])] = row["replies"]
            exists[number, : len(row["replies"])] = True
        chosen = np.array([row["chosen"] for row in rows])
        return cls(rows, np.array([row["game"] for row in rows]), Choices(features, exists, chosen))

    def where(self, is_wanted):
        return Moves.of_rows([row for row in self.rows if is_wanted(row)])

    def errors(self):
        return np.array([not row["keeps"][row["chosen"]] for row in self.rows])


class Random:
    """SplitMix64, as in `tools/arena/src/random.rs`."""

    def __init__(self, seed, stream):
        self.state = seed + 0x9E3779B97F4A7C15 * stream
        self.state = self.next()

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return mixed ^ mixed >> 31

    def below(self, count):
        return self.next() * count >> 64


def fit(choices, importance, penalty, start):
    """The weights that make the choices likeliest, less the penalty: Newton's method on a concave function."""
    matters = importance >= 1e-6
    choices, importance = choices.of(matters), importance[matters]
    number = np.arange(len(importance))
    chosen = choices.features[number, choices.chosen]

    def value(weights):
        logarithms = log_softmax(choices.utilities(weights), axis=1)[number, choices.chosen]
        return importance @ logarithms - penalty * weights @ weights

    weights = start
    here = value(weights)
    for _ in range(MAX_ITERATIONS):
        shares = softmax(choices.utilities(weights), axis=1)
        mean = np.einsum("na,naf->nf", shares, choices.features)
        deviations = choices.features - mean[:, None]
        gradient = importance @ (chosen - mean) - 2 * penalty * weights
        curvature = np.einsum("n,na,naf,nag->fg", importance, shares, deviations, deviations, optimize=True)
        step = solve(curvature + 2 * penalty * np.eye(len(weights)), gradient, assume_a="pos")
        scale = 1.0
        while value(weights + scale * step) < here and scale >= 1e-6:
            scale /= 2
        weights = weights + scale * step
        gain, here = value(weights) - here, value(weights)
        if gain < 1e-9 * (1 + abs(here)):
            break
    return weights


@dataclass
class Mixture:
    """Types of players: the share of each type, and its weights of the features."""

    shares: np.ndarray
    weights: np.ndarray

    @classmethod
    def fit(cls, moves, types, seed):
        random = Random(seed, types)
        with np.errstate(divide="ignore"):
            drawn = [[np.log(-np.log((random.below(1 << 20) + 1) / (1 << 20))) for _ in range(types)]
                     for _ in range(moves.game[-1] + 1)]
        of_game = softmax(np.array(drawn), axis=1)
        learned = np.unique(moves.game)
        mixture = cls(np.full(types, 1 / types), np.zeros((types, moves.choices.features.shape[2])))
        for _ in range(1 if types == 1 else ROUNDS):
            for number in range(types):
                importance = of_game[moves.game, number]
                mixture.weights[number] = fit(moves.choices, importance, PENALTY, mixture.weights[number])
            of_game = mixture.types_of_games(moves)
            mixture.shares = of_game[learned].mean(axis=0)
        return mixture

    def probabilities(self, moves):
        """The probability of each reply, by type, move and reply."""
        choices = moves.choices
        rest = 1 - LEAST_PROBABILITY * choices.exists.sum(axis=1, keepdims=True)
        by_type = [LEAST_PROBABILITY + rest * softmax(choices.utilities(weights), axis=1) for weights in self.weights]
        return np.array(by_type) * choices.exists

    def likelihoods(self, moves):
        """The probability of the chosen reply, by type and move."""
        return self.probabilities(moves)[:, np.arange(len(moves.rows)), moves.choices.chosen]

    def types_of_games(self, moves):
        """The probability of each type in each game, by all moves of the game."""
        logarithms = np.tile(np.log(self.shares), (moves.game[-1] + 1, 1))
        np.add.at(logarithms, moves.game, np.log(self.likelihoods(moves)).T)
        return softmax(logarithms, axis=1)

    def expectations(self, moves):
        """The probabilities of the chosen reply and of an error, each by the model and the earlier moves of the game."""
        probabilities, chosen = self.probabilities(moves), self.likelihoods(moves)
        expected = []
        game, types = None, self.shares
        for number, row in enumerate(moves.rows):
            if row["game"] != game:
                game, types = row["game"], self.shares
            likelihood = types @ chosen[:, number]
            is_error = ~np.array(row["keeps"])
            expected.append((likelihood, types @ probabilities[:, number, : len(is_error)] @ is_error))
            types = types * chosen[:, number] / likelihood
        return np.array(expected)


def logistic(rows, importance):
    """A logistic regression on rows of factors and a share from 0 to 1: a choice between the factors and nothing."""
    if not rows:
        sys.exit("the matches have no lost or no drawn positions")
    factors = np.array([factors for factors, _ in rows])
    shares = np.array([share for _, share in rows])
    alternatives = np.tile(np.stack([factors, np.zeros_like(factors)], axis=1), (2, 1, 1))
    chosen = np.repeat([0, 1], len(rows))
    weights = np.concatenate([importance * shares, importance * (1 - shares)])
    choices = Choices(alternatives, np.ones(alternatives.shape[:2], dtype=bool), chosen)
    return fit(choices, weights, LEAF_PENALTY, np.zeros(factors.shape[1]))


def leaf_evaluations(moves, mixture):
    """The coefficients of the leaf evaluation in lost and in drawn positions, by type."""
    lost, drawn = ([], []), ([], [])
    for row in moves.rows:
        second, stones = row["plies_after"] % 2, row["plies_after"] / 10
        if row["score_after"] < 0:
            lost[0].append(row["game"])
            lost[1].append(([1, row["plies_to_end"] / 10, second, stones], row["points"]))
        elif row["score_after"] == 0:
            # Half a point is certain.
            drawn[0].append(row["game"])
            drawn[1].append(([1, second, stones], max(2 * row["points"] - 1, 0)))
    types = mixture.types_of_games(moves)
    return [[logistic(rows, types[games, number]) for number in range(len(mixture.shares))] for games, rows in (lost, drawn)]


def print_tables(fitted, held_out, seed):
    one_type, all_types = Mixture.fit(fitted, 1, seed), Mixture.fit(fitted, TYPES, seed)
    names = sorted({row["opponent"] for row in fitted.rows + held_out.rows})
    width = max(8, *map(len, names))
    print(f"{'opponent':{width}}  decisions  errors  uniform  one type  all types  fitted without")
    for name in [*names, None]:
        rows = [row for row in held_out.rows if name in (None, row["opponent"])]
        if not rows:
            continue
        own = Moves.of_rows(rows)

        def mean(mixture, own=own):
            return np.log(mixture.expectations(own)[:, 0]).mean()

        others = [row for row in fitted.rows if row["opponent"] != name]
        without = "-"
        if name and others and len(others) < len(fitted.rows):
            without = f"{mean(Mixture.fit(Moves.of_rows(others), TYPES, seed)):.3f}"
        uniform = -np.log(own.choices.exists.sum(axis=1)).mean()
        print(f"{name or 'all':{width}} {len(rows):10} {own.errors().mean():7.1%} {uniform:8.3f} {mean(one_type):9.3f} "
              f"{mean(all_types):10.3f} {without:>15}")
    print("\nerrors in held-out games, in groups of equal size:\n\nexpected  observed")
    expected = all_types.expectations(held_out)[:, 1]
    order = np.argsort(expected, kind="stable")
    size = -(-len(order) // GROUPS)
    for start in range(0, len(order), size):
        group = order[start : start + size]
        print(f"{expected[group].mean():8.3f}  {held_out.errors()[group].mean():8.3f}")


def array(numbers):
    return "[" + ", ".join(f"{number:.3f}" for number in numbers) + "]"


def rows(arrays):
    return "".join(f"    {array(numbers)},\n" for numbers in arrays)


def source(mixture, leaves, features, moves, games):
    return f"""\
//! Weights of the opponent model, generated by `tools/research/fit_opponent.py` from {moves} decisions in {games}
//! games. Do not edit; `tools/research/notes/swindle.md` has the commands.

/// Number of types of players in the model.
pub const TYPES: usize = {len(mixture.shares)};

pub(super) const PRIOR: [f64; TYPES] = {array(mixture.shares)};

/// The weights of the features of a reply, by type of player. `FEATURE_NAMES` has the names of the features.
pub(super) const WEIGHTS: [[f64; {len(features)}]; TYPES] = [
{rows(mixture.weights)}];

/// Logistic models of the expected points in a lost leaf of the reply tree, by type of player. Weights:
/// constant, plies to the end in tens, second player to move, stones in tens.
pub(in crate::search) const LEAF_LOST: [[f64; 4]; TYPES] = [
{rows(leaves[0])}];

/// Like [`LEAF_LOST`], but for drawn leaves, without the plies to the end.
pub(in crate::search) const LEAF_DRAWN: [[f64; 3]; TYPES] = [
{rows(leaves[1])}];
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("moves", help="output of the example `opponent_moves`")
    parser.add_argument("--seed", type=int, default=1, help="seed of the starting point (default 1)")
    parser.add_argument("--out", help="write the model as Rust source code")
    arguments = parser.parse_args()
    moves, features, games = Moves.read(arguments.moves)
    if len({row["game"] % 5 == 0 for row in moves.rows}) < 2:
        sys.exit("the matches have too few games: every fifth is held out")
    fitted = moves.where(lambda row: row["game"] % 5 != 0)
    held_out = moves.where(lambda row: row["game"] % 5 == 0)
    print_tables(fitted, held_out, arguments.seed)
    if arguments.out:
        mixture = Mixture.fit(moves, TYPES, arguments.seed)
        text = source(mixture, leaf_evaluations(moves, mixture), features, len(moves.rows), games)
        with open(arguments.out, "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
