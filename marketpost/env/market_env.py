"""A game of any ruleset as a PettingZoo AEC environment: no service is needed."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper  # type: ignore[import-untyped]

from marketpost.env.features import SIZE, vector
from marketpost.rules.chance import Domain, Sealed
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Event, Setting, ruleset

MOST_STEPS = 512
"""Actions. No position of the boards that we ship has more legal steps than 115."""
ILLEGAL_REWARD = -1.0
"""The reward of an agent that chooses an action which its mask excludes; the game ends with it."""


def market_env(rules: str, **chosen: Any) -> OrderEnforcingWrapper:
    """Make an environment that ends the game at an illegal action; arguments as for `MarketEnv`."""
    return OrderEnforcingWrapper(TerminateIllegalWrapper(MarketEnv(rules, **chosen), illegal_reward=ILLEGAL_REWARD))


class MarketEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which each agent is a colour.

    An action is the place of a step in the list of legal steps, which `infos[agent]["legal"]` spells as orders. An observation has the
    position as this seat sees it, as a vector and, in `infos[agent]["view"]`, as the document that the REST API gives.
    The winners get a reward of 1 at the end, the others -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "marketpost", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: str,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        board: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = ruleset(rules)
        count = players or self.rules.players[0]
        if count not in self.rules.players:
            raise Refused("players-number", count=count, least=self.rules.players[0], most=self.rules.players[-1])
        self.setting = Setting(self.rules.colours[:count], board or self.rules.boards()[0], edition, options or {})
        self.render_mode = render_mode
        self.possible_agents = list(self.setting.colours)
        space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (SIZE,), np.float32),
                "action_mask": spaces.Box(0, 1, (MOST_STEPS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(MOST_STEPS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. `options["key"]` is the key of its chance in hexadecimal, by which a game of the service is played again."""
        self.key = bytes.fromhex(options["key"]) if options and "key" in options else _key(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        chance = Sealed(self.key, Domain.DEAL)
        self.events: list[Event] = list(self.rules.start(self.setting, chance))
        self.state_now = self.rules.fold(self.events)
        self._happen(self.rules.proceed(self.state_now, chance))
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask = np.zeros(MOST_STEPS, dtype=np.int8)
        mask[: len(self._legal(seat))] = 1
        return {"observation": vector(self.rules.document(self.state_now, seat)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._play(seat, self._legal(seat)[int(action or 0)])
        if self.rules.winners(self.state_now):
            self._end()
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Draw the board as text."""
        words = self.rules.in_language("en")
        return self.rules.draw(self.state_now, words) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release nothing: a game holds no files or connections."""

    def _legal(self, seat: int) -> Sequence[str]:
        return self.rules.legal(self.state_now, seat)[:MOST_STEPS]

    def _play(self, seat: int, orders: str) -> None:
        chance = Sealed(self.key, Domain.DRAW, self.state_now.drawn)
        verdict = self.rules.judge(self.state_now, seat, orders, chance)
        self._happen(verdict.events)
        if not self.rules.winners(self.state_now):
            self._happen(self.rules.proceed(self.state_now, chance))

    def _happen(self, events: Sequence[Event]) -> None:
        for event in events:
            event.apply(self.state_now)
            self.events.append(event)

    def _end(self) -> None:
        winners = {self.possible_agents[seat] for seat in self.rules.winners(self.state_now)}
        self.rewards = {agent: 1.0 if agent in winners else -1.0 for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        """Choose who decides next; after the end every agent has one last, empty turn."""
        if deciders := self.rules.deciders(self.state_now):
            self.agent_selection = self.possible_agents[deciders[0]]
        self.infos = {agent: self._info(seat) for seat, agent in enumerate(self.possible_agents)}

    def _info(self, seat: int) -> dict[str, Any]:
        return {"legal": list(self._legal(seat)), "view": self.rules.document(self.state_now, seat)}


def _key(seed: int | None) -> bytes:
    """Derive the key of a game's chance from a seed; from the machine's own randomness without one."""
    generator, _ = seeding.np_random(seed)
    return generator.bytes(32)
