"""Answers of all mail programs to digests of two to six games: each part is read exactly, and none for the wrong game."""

from tests.mail.digest_corpus import cases, verdict


def test_answers_of_all_programs_to_digests() -> None:
    told = [verdict(case) for case in cases(312, seed=4)]

    assert told.count("wrong") == 0
    assert told.count("exact") >= 0.99 * len(told)
