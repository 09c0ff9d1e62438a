//! Who wins on the empty boards, as published.

use plumb::board::Player;

/// A published result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Published {
    /// Who wins; nobody in a draw.
    pub winner: Option<Player>,
    /// The stone, from 1, on which a perfect game ends, where that is published.
    pub stone: Option<u32>,
}

/// The width of the first board of each row.
const FIRST_WIDTH: u32 = 4;

/// For each height the boards of width 4 and up: a draw, or the player who wins; and the stones on which perfect games
/// end, where they are known.
///
/// Sources: John Tromp, "John's Connect Four Playground", <https://tromp.github.io/c4/c4.html>, and Christophe
/// Steininger's solver, <https://github.com/ChristopheSteininger/c4>.
const TABLE: &[(u32, &str, &[u32])] = &[
    (4, "==2=22222", &[16, 20, 24, 28, 32, 36, 40, 44, 48]),
    (5, "====1111", &[20, 25, 30, 35, 39, 41, 47, 51]),
    (6, "==21221", &[24, 30, 36, 41, 48, 52, 59]),
    (7, "==1=11", &[28, 35, 41, 49, 53, 55]),
    (8, "==212", &[32, 40, 48, 55, 62]),
    (9, "==1=1", &[]),
    (10, "==21", &[]),
    (11, "==1", &[]),
    (12, "==2", &[]),
    (13, "==", &[]),
];

/// The published result of this size of board, if there is one.
pub(super) fn published(width: u32, height: u32) -> Option<Published> {
    let (_, winners, stones) = TABLE.iter().find(|row| row.0 == height)?;
    let index = width.checked_sub(FIRST_WIDTH)? as usize;
    let winner = match winners.as_bytes().get(index)? {
        b'1' => Some(Player::First),
        b'2' => Some(Player::Second),
        _ => None,
    };
    Some(Published { winner, stone: stones.get(index).copied() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_itself() {
        let mut known = 0;
        for (width, height) in (4..20).flat_map(|width| (4..20).map(move |height| (width, height))) {
            let Some(Published { winner, stone: Some(stone) }) = published(width, height) else { continue };
            known += 1;
            match winner {
                None => assert_eq!(stone, width * height, "{width}x{height}"),
                Some(player) => {
                    assert_eq!(stone % 2 == 1, player == Player::First, "{width}x{height}");
                    assert!((7..=width * height).contains(&stone), "{width}x{height}");
                }
            }
        }
        assert_eq!(known, 9 + 8 + 7 + 6 + 5);
    }

    #[test]
    fn the_standard_board_is_won_by_the_first_player_with_stone_41() {
        assert_eq!(published(7, 6), Some(Published { winner: Some(Player::First), stone: Some(41) }));
        assert_eq!(published(8, 9), Some(Published { winner: Some(Player::First), stone: None }));
        assert_eq!([published(3, 6), published(11, 6), published(7, 14)], [None; 3]);
    }
}
