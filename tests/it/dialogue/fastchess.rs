//! fastchess: its compliance test talks chess, but expects an answer with a score.

use crate::common::Engine;

const CHESS: &str = "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";

#[test]
fn the_compliance_list_passes() {
    let (mut engine, listing) = Engine::start_as("uci");
    for start in ["id name ", "id author "] {
        assert!(listing.iter().any(|line| line.starts_with(start)), "{listing:?}");
    }
    engine.send("ucinewgame\nposition startpos");
    assert!(engine.ready().is_empty());
    engine.send(CHESS);
    let complaint = engine.ready();
    assert!(complaint.len() == 1 && complaint[0].starts_with("info string `"), "{complaint:?}");
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
    ] {
        engine.go(go).check();
    }
    engine.ask(
        "position startpos moves e2e4 e7e5",
        "info string move 1, `e2e4`: expected a move such as P@d1, d or 4; the position stays as it was",
    );
    engine.go("go wtime 100 btime 100").check();
    engine.quit();
}
