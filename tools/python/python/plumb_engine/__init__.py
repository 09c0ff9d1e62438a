from ._native import Player, Position, Solver
__all__ = ["Player", "Position", "Solver"]
