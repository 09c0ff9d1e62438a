//! The numbers of the model, written by `tools/research/fit_opponent.py` from 16942 decisions in 3200 games. Not to be
//! edited; `tools/research/notes/swindle.md` has the commands.

/// Number of types of players.
pub const TYPES: usize = 4;

pub(super) const PRIOR: [f64; TYPES] = [0.250, 0.523, 0.137, 0.089];

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
pub(super) const WEIGHTS: [[f64; 14]; TYPES] = [
    [-0.429, -0.438, 0.462, 0.195, 0.994, 0.307, 0.636, 1.273, 0.457, -2.251, 5.061, 0.044, 0.292, -1.616],
    [-0.375, -0.426, 0.258, 0.235, 0.308, 0.598, 0.704, 1.497, -0.446, 0.843, 1.968, 3.559, 0.132, -0.417],
    [-0.670, 0.409, 0.247, 0.057, 1.092, 1.511, 2.412, 2.411, -1.030, 0.372, 3.028, 0.279, 0.150, -0.937],
    [-0.274, -0.376, 0.315, 0.346, 0.867, 1.982, 2.217, 2.455, -0.913, -0.298, 0.951, 0.056, 0.216, -0.363],
];

/// By type: constant, plies to the end in tens, second player, stones in tens.
pub(in crate::search) const LEAF_LOST: [[f64; 4]; TYPES] = [
    [-6.899, 2.554, 0.320, -0.010],
    [-7.094, 2.727, 0.299, -0.426],
    [-7.785, 2.507, 0.317, -0.106],
    [-6.355, 2.173, 0.114, -0.126],
];

pub(in crate::search) const LEAF_DRAWN: [[f64; 3]; TYPES] =
    [[4.063, 1.320, -2.547], [4.518, 0.856, -3.163], [2.196, 0.558, -2.307], [1.939, 0.453, -2.316]];
