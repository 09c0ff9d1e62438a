//! The numbers of the model, written by `plumb-lab fit-opponent` from 12578 decisions in 2400 games. Not to be
//! edited; `src/search/SWINDLE.md` has the commands.

use super::Features;

/// Number of types of players.
pub const TYPES: usize = 4;

/// The share of each type among the players of the games.
pub(super) const PRIOR: [f64; TYPES] = [0.152, 0.543, 0.087, 0.218];

/// The weights of the features of a reply, by type:
///
/// 1. distance from the centre, in columns
/// 2. outermost column
/// 3. cells below, at most 3
/// 4. on top of the last stone
/// 5. keeps a win
/// 6. keeps a draw
/// 7. wins within 28 plies, in tens of plies below that
/// 8. wins within 20 plies
/// 9. loses within 28 plies
/// 10. loses within 20 plies
/// 11. estimate at depth 2, in hundreds, at most 3
/// 12. estimate at depth 6
/// 13. distance from the centre, growing with the stones
/// 14. estimate at depth 2, growing with the stones
pub(super) const WEIGHTS: [Features; TYPES] = [
    [-0.359, -0.346, 0.189, 0.504, 0.782, 1.484, 0.688, 0.525, -1.196, 0.007, 3.526, 0.016, 0.264, -1.077],
    [-0.384, -0.330, 0.221, 0.244, 0.341, 0.519, 0.531, 0.638, -0.353, 1.333, 2.264, 3.218, 0.091, -0.658],
    [-0.283, -0.359, 0.475, -0.320, 0.810, 1.020, 2.595, 2.167, -0.930, 0.094, 0.726, 0.256, 0.173, -0.311],
    [-0.461, -0.353, 0.549, -0.010, 0.963, -0.009, 0.714, 1.095, 0.737, -1.884, 4.862, 0.106, 0.159, -1.527],
];

/// Coefficients of the outlook in lost positions, by type: constant, plies to the end in tens, second player,
/// stones in tens.
pub(in crate::search) const OUTLOOK_LOST: [[f64; 4]; TYPES] = [
    [-5.840, 2.093, 0.288, -0.089],
    [-6.547, 2.552, 0.320, -0.462],
    [-6.424, 2.159, 0.051, -0.023],
    [-7.454, 2.695, 0.349, 0.150],
];

/// Coefficients of the outlook in drawn positions, by type: constant, second player, stones in tens.
pub(in crate::search) const OUTLOOK_DRAWN: [[f64; 3]; TYPES] =
    [[1.647, 1.533, -2.353], [5.190, 0.566, -3.285], [2.987, 0.240, -1.945], [4.523, 1.166, -2.230]];
