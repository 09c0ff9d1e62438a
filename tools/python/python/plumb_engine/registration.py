"""The entry point that registers the environment, without importing it."""

from __future__ import annotations


def register() -> None:
    """Registers `plumb/ConnectFour-v0`. Gymnasium calls it while it is being imported."""
    from gymnasium.envs.registration import register as register_environment

    register_environment("plumb/ConnectFour-v0", entry_point="plumb_engine.environment:ConnectFour")
