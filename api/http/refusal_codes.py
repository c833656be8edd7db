"""List refusal codes with their sentences and statuses, for documents."""

from pathlib import Path

from api.http.problems import STATUS, UNPROCESSABLE
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, read_words


def refusals_in(folder: Path, spoken: str) -> dict[str, str]:
    """Return the sentence of every refusal code; of one with singular and plural forms, the plural."""
    sentences = read_words(folder, spoken).get("refusals", {})
    return {code: told["other"] if isinstance(told, dict) else told for code, told in sentences.items()}


def status_by_code() -> dict[str, tuple[int, str]]:
    """Return the status and the English sentence of every refusal code of the service and its rulesets, in the order of the codes."""
    folders = [*(game.words for game in rulesets().values()), COMMON]
    sentences = {code: text for folder in folders for code, text in refusals_in(folder, "en").items() if "/" not in code}
    return {code: (STATUS.get(code, UNPROCESSABLE), sentences[code]) for code in sorted(sentences)}
