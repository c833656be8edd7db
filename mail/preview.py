"""`preview` in a mail: what orders would do, for every branch of chance."""

from play.game import Game
from play.look import Branch, preview
from rules.words import Words


def told_preview(game: Game, seat: int, orders: str, game_words: Words, words: Words) -> list[str]:
    return [line for branch in preview(game, seat, orders) for line in _told(game, branch, game_words, words)]


def _told(game: Game, branch: Branch, game_words: Words, words: Words) -> list[str]:
    outcomes = ", ".join(map(game_words.tell, branch.outcomes))
    head = words.say("answers.preview", outcomes=outcomes) if outcomes else words.say("answers.preview-plain")
    story = game.rules.story(game.state.copy(), branch.events, game_words)
    scores = zip(game.setting.colours, game.rules.scores(branch.state), strict=True)
    points = words.say("answers.preview-scores", scores=", ".join(f"{game_words.tell(colour)} {score}" for colour, score in scores))
    refused = branch.refusal
    why = [words.say("answers.preview-refused", step=refused.step, why=game_words.explain(refused))] if refused else []
    return [head, *(f"  {line}" for line in [*story, *why, points])]
