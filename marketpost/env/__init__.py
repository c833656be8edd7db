"""The games as PettingZoo environments, for training and comparing agents: `pip install marketpost[env]`.

from marketpost.env import market_env
env = market_env("portobello", players=3)
"""

from marketpost.env.market_env import MarketEnv, market_env

__all__ = ["MarketEnv", "market_env"]
