"""Answer `preview` in a message: what orders would do, for every branch of chance."""

import re
from dataclasses import dataclass, field

from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import PreviewBranch, preview
from marketpost.rules.words import Words

PIECE = re.compile(r"\w+|\W+")


def describe_preview(game: Game, seat: int, orders: str, game_words: Words, words: Words) -> list[str]:
    """Describe what orders would do; outcomes of chance with the same story share one paragraph."""
    blocks: list[_Block] = []
    for branch in preview(game, seat, orders):
        outcome = " + ".join(map(game_words.translate, branch.outcomes))
        told = _told(game, branch, game_words, words)
        if not any(block.takes(outcome, told) for block in blocks):
            blocks.append(_Block([outcome], [PIECE.findall(told)]))
    return [line for block in blocks for line in block.lines(words)]


def _told(game: Game, branch: PreviewBranch, game_words: Words, words: Words) -> str:
    """Describe one branch: story, refusal and scores."""
    story = game.rules.story(game.state.copy(), branch.events, game_words.if_played())
    scores = zip(game.setting.colours, game.rules.scores(branch.state), strict=True)
    told = "; ".join(f"{game_words.translate(colour)} {game_words.score(score)}" for colour, score in scores)
    refused = branch.refusal
    why = [words.say("answers.preview-refused", step=refused.step, why=game_words.explain(refused))] if refused else []
    return "\n".join([*story, *why, words.say("answers.preview-scores", scores=told)])


@dataclass(slots=True)
class _Block:
    """Outcomes of chance whose texts differ in one word only, split into pieces."""

    outcomes: list[str]
    told: list[list[str]]
    places: set[int] = field(default_factory=set)
    """Where that word stands."""

    def takes(self, outcome: str, told: str) -> bool:
        """Add an outcome if its text differs in no other word. Whether it was added."""
        pieces, first = PIECE.findall(told), self.told[0]
        if len(pieces) != len(first):
            return False
        places = {place for place, piece in enumerate(pieces) if piece != first[place]}
        words = {pieces[place] for place in places}
        if len(words) > 1 or len({first[place] for place in places}) > 1 or (self.places and places and places != self.places):
            return False
        self.places |= places
        self.outcomes.append(outcome)
        self.told.append(pieces)
        return True

    def lines(self, words: Words) -> list[str]:
        """Return the lines about these outcomes."""
        *before, last = self.outcomes
        outcomes = words.say("answers.preview-or", before=", ".join(before), last=last) if before else last
        head = words.say("answers.preview", outcomes=outcomes) if last else words.say("answers.preview-plain")
        shared = "".join(self._piece(place) for place in range(len(self.told[0])))
        return [head, *(f"  {line}" for line in shared.split("\n"))]

    def _piece(self, place: int) -> str:
        """Return one piece of the text; of the word that differs all variants, in the order of the outcomes."""
        pieces = [told[place] for told in self.told]
        return "/".join(pieces) if place in self.places else pieces[0]
