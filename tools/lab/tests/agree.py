#!/usr/bin/env python3
"""Checks the records of matches against rules that are not ours: those of Fairy-Stockfish's `cfour`.

    python3 -m venv .venv && .venv/bin/pip install pyffish
    .venv/bin/python agree.py MATCH.jsonl [MATCH.jsonl ...]

Records of games on other boards than 7x6 need the file that `plumb-lab variant-ini` prints for the size: `--variants FILE`,
which may hold several.

A record is a file of JSON lines: the header of the match, then a game on each line. Every game is played again with
pyffish. Each of these is a disagreement, and is printed with its file, line and game:

- a move of the opening or of an engine that is not legal;
- a move after four in a row or on a full board: the game went on past its end;
- the reason `four_in_a_row` or `full_board` where pyffish sees no end or the other one;
- a game adjudicated or lost by a late, illegal or senseless move after it had ended on the board;
- a result other than that of pyffish where the game ended on the board, whatever the reason;
- a late, illegal or senseless move that was not counted against the player to move.

A last line that was broken off, as an arena leaves it when it is killed, is counted and skipped.

With `--dialogue NAME=FILE`, where FILE is that of `plumb-lab match --log` and NAME an engine that speaks UCI, its games are also
compared with what it had proved, by the last `info` line before each of its moves. These are disagreements, too:

- after `mate n`, also as a lower bound, it does not win;
- after `cp 0` as a lower bound, or with a line that fills the board, it loses.

Wins that came later than proved are counted. Losses that came sooner are not: Plumb may prefer those in which an error is likelier.

Exit status 0: no disagreement; 1: at least one; 2: a file that cannot be read as a record.
"""
import argparse
import collections
import json
import re
import string
import sys

import pyffish

# Connect Four as a variant for Fairy-Stockfish. Newer versions have it in a file instead of the program.
CFOUR = """[cfour]
maxRank = 6
maxFile = 7
immobile = p
startFen = 7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1
pieceDrops = true
enclosingDrop = top
doubleStep = false
castling = false
stalemateValue = draw
immobilityIllegal = false
connectN = 4
nMoveRule = 0
"""
FIRST_WON, SECOND_WON, DRAW = "1-0", "0-1", "1/2-1/2"
ON_THE_BOARD = {"four_in_a_row", "full_board"}
# Only the player to move can lose for these reasons, and only before the end of the game.
BY_THE_MOVER = {"time_forfeit", "illegal_move", "nonsense"}
# Both players can lose for these reasons at any time, also while they ponder and after the last move.
BY_EITHER = {"crash", "hang", "several_best_moves"}


def is_legal(variant, moves):
    """Whether pyffish can play these moves; after four in a row it plays none."""
    try:
        pyffish.get_fen(variant, pyffish.start_fen(variant), moves)
    except (ValueError, SystemError):  # Some versions of pyffish turn ValueError into SystemError.
        return False
    return True


def ending(variant, moves):
    """The reason and the result if the game has ended with the last of these legal moves, otherwise None."""
    fen = pyffish.start_fen(variant)
    ended, value = pyffish.is_immediate_game_end(variant, fen, moves)
    if ended:
        # The value is for the player to move, who can only have lost.
        if value >= 0:
            raise RuntimeError(f"pyffish says {value} for the player to move after {' '.join(moves)}")
        return "four_in_a_row", FIRST_WON if len(moves) % 2 else SECOND_WON
    if not pyffish.legal_moves(variant, fen, moves):
        return "full_board", DRAW
    return None


def spelt(columns):
    """Columns as moves with the ranks on which the stones land; pyffish is asked later whether that is right."""
    heights = collections.Counter()
    for column in columns:
        heights[column] += 1
        yield f"P@{string.ascii_lowercase[column - 1] if 0 < column < 26 else '?'}{heights[column]}"


def column_of(digit):
    """The column, from 1, of a character of an opening: a digit, or past the ninth column its letter."""
    return int(digit) if digit.isdigit() else string.ascii_lowercase.index(digit) + 1


def disagreement(game, variant):
    """What pyffish has against a game, as a sentence; None if nothing."""
    opening = [column_of(digit) for digit in game["opening"]["moves"]]
    moves = list(spelt(opening + [move["column"] for move in game["moves"]]))
    # A call of pyffish takes milliseconds, so each move is checked only if some move is illegal.
    if not is_legal(variant, moves):
        ply = next(ply for ply in range(1, len(moves) + 1) if not is_legal(variant, moves[:ply]))
        before = moves[: ply - 1]
        end = ending(variant, before)
        why = f"the game was over ({end[0]}, {end[1]})" if end else "not legal"
        return f"ply {ply}, {moves[ply - 1]}: {why} after {' '.join(before) or 'no move'}"
    recorded = f"recorded {game['reason']}, {game['result']}"
    reason, result, end = game["reason"], game["result"], ending(variant, moves)
    if end and (result != end[1] or reason not in BY_EITHER | {end[0]}):
        return f"{recorded}; pyffish: {end[0]}, {end[1]}"
    if not end and reason in ON_THE_BOARD:
        return f"{recorded}; pyffish: no end after {len(moves)} plies"
    if reason in BY_THE_MOVER and result != (FIRST_WON if len(moves) % 2 else SECOND_WON):
        return f"{recorded}; but the loser was not to move after {len(moves)} plies"
    if reason not in ON_THE_BOARD | BY_THE_MOVER | BY_EITHER | {"adjudicated"}:
        return f"{recorded}; there is no such reason"
    return None


def proofs(path, engine):
    """What an engine said before its moves: the moves before, as a tuple; the kind of score; its value; the bound; the line."""
    position, said = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not (found := re.match(r"\S+ ([<>])(.+)\((\d+)\): (.*)", line)) or found[2] != engine:
                continue
            direction, _, process, text = found.groups()
            if direction == ">" and text.startswith("position startpos"):
                position[process], said[process] = tuple(text.split()[3:]), None
            elif direction == "<" and text.startswith("bestmove") and said.get(process):
                yield position[process], *said[process]
            elif direction == "<" and (
                score := re.match(r"info .*score (cp|mate) (-?\d+)( lowerbound| upperbound)?.*?(?: pv (.*))?$", text)
            ):
                kind, value, bound, line_of_play = score.groups()
                said[process] = kind, int(value), (bound or "").strip(), (line_of_play or "").split()


def proved(proof, cells):
    """The points (1 or 0) that an engine had proved to be its own at least, and for a win the stone that ends it; None if neither."""
    before, kind, value, bound, line_of_play = proof
    if kind == "mate" and value > 0 and bound != "upperbound":
        return 1, len(before) + 2 * value - 1
    if kind == "cp" and value == 0 and (bound == "lowerbound" or len(before) + len(line_of_play) == cells):
        return 0, None
    return None


def check_proofs(path, dialogue, engine):
    """Compares a match with what an engine had proved, prints what is wrong; returns the number of moves at which it is."""
    with open(path, encoding="utf-8") as file:
        header, *games = [json.loads(line) for line in file if line.endswith("\n")]
    width, height = map(int, header["settings"]["board"].split("x"))
    by_beginning = collections.defaultdict(list)
    for game in games:
        columns = [column_of(digit) for digit in game["opening"]["moves"]] + [move["column"] for move in game["moves"]]
        moves, is_second = tuple(spelt(columns)), game["first"] != engine
        points = 0 if game["result"] == DRAW else 1 if (game["result"] == SECOND_WON) == is_second else -1
        for ply in range(is_second, len(moves), 2):
            by_beginning[moves[:ply]].append((game, len(moves), points))
    wins = draws = late = bad = 0
    for proof in proofs(dialogue, engine):
        if (claim := proved(proof, width * height)) is None:
            continue
        # Unfinished games are not in the record.
        for game, stones, points in by_beginning[proof[0]]:
            wins += claim[0]
            draws += not claim[0]
            late += points == claim[0] == 1 and stones > claim[1]
            if points < claim[0]:
                bad += 1
                what = f"a win with stone {claim[1]}" if claim[0] else "a draw at least"
                print(
                    f"{path}: game {game['game']} ({game['first']} - {game['second']}): after {len(proof[0])} stones "
                    f"{engine} had proved {what}; {game['result']} with stone {stones}"
                )
    print(f"{path}: {engine} had proved {wins} times that it wins, {draws} times a draw at least: {bad} disagreements, {late} late")
    return bad


def check(path):
    """Checks a file, prints what is wrong; returns the number of disagreements."""
    reasons, bad, plies, broken = collections.Counter(), 0, 0, 0
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    settings = json.loads(lines[0]).get("settings", {}) if lines else {}
    if "engines" not in settings:
        raise ValueError("line 1 is not the header of a match")
    variant = f"cfour{settings['board']}".removesuffix("7x6")
    if variant not in pyffish.variants():
        raise ValueError(f"`{variant}` is in no file of `--variants`")
    for number, line in enumerate(lines[1:], 2):
        if not line.endswith("\n"):
            broken = 1
            continue
        game = json.loads(line)
        reasons[game["reason"]] += 1
        plies += len(game["opening"]["moves"]) + len(game["moves"])
        if (text := disagreement(game, variant)) is not None:
            bad += 1
            print(f"{path}:{number}: game {game['game']} ({game['first']} - {game['second']}): {text}")
    kinds = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    broken = ", 1 line broken off" if broken else ""
    print(f"{path}: {reasons.total()} games, {plies} plies ({kinds or 'none'}{broken}): {bad} disagreements")
    return bad


def main():
    parser = argparse.ArgumentParser(description="Checks the records of matches with the rules of pyffish.")
    parser.add_argument("files", nargs="+", metavar="MATCH.jsonl", help="a record of the arena")
    parser.add_argument("--variants", action="append", default=[], metavar="FILE", help="definitions of other boards")
    parser.add_argument("--dialogue", metavar="NAME=FILE", help="an engine, and the log of the match with what it proved")
    arguments = parser.parse_args()
    pyffish.load_variant_config(CFOUR)
    bad = 0
    for path in arguments.variants:
        with open(path, encoding="utf-8") as file:
            pyffish.load_variant_config(file.read())
    for path in arguments.files:
        try:
            bad += check(path)
            if arguments.dialogue:
                engine, _, dialogue = arguments.dialogue.partition("=")
                bad += check_proofs(path, dialogue, engine)
        except (OSError, ValueError, LookupError, TypeError) as error:
            print(f"{path}: not a record: {type(error).__name__}: {error}", file=sys.stderr)
            return 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
