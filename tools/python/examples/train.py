"""Trains a MaskablePPO of sb3-contrib: first against random moves, then against Skill Level 3.

    pip install plumb-engine sb3-contrib
    python train.py [STEPS]

STEPS is the number of steps against random moves; there is a quarter of them against the Skill Level, whose moves take longer.
"""

from __future__ import annotations

import sys

import numpy
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from plumb_engine import Position, evaluate
from plumb_engine.environment import observation


def main(steps: int) -> None:
    """Trains, and prints how well the agent plays against both opponents."""
    # Gymnasium imports the module before the colon, which registers the environment, in each process.
    name = "plumb_engine.environment:plumb/ConnectFour-v0"
    vec_env = make_vec_env(name, n_envs=2, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": "spawn"})
    model = MaskablePPO("MlpPolicy", vec_env, n_steps=512, batch_size=256, learning_rate=1e-3, ent_coef=0.01, seed=1)

    def agent(position: Position) -> numpy.ndarray:
        mask = numpy.isin(range(7), position.legal_moves)
        return model.predict(observation(position), action_masks=mask, deterministic=True)[0]

    for opponent, count in (("random", steps), ("skill-3", steps // 4)):
        vec_env.set_attr("opponent", opponent)  # from the next game on
        model.learn(count)
        print(f"against {opponent}:\n{evaluate(agent, opponent)}")
    vec_env.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
