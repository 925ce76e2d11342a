"""Whether a word is one that a vocabulary has, or is derived from one."""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.models.base import Vocabulary

_AFFIXES = tuple(
    """
    es ed er ers or ors ing ings ly y ic al able ment ments ness less ful ish ism ist ists ation ations
    """.split()
)
_AFTER_E = ("d", "r", "rs")
_PREFIXES = tuple(
    "anti back co counter de dis en in inter mis micro mini multi non out over pre re self sub un up".split()
)


def is_word(plain: str, vocabulary: Vocabulary) -> bool:
    """Whether a vocabulary has a word, or one that it is derived from: of "hedgers" it has hedge."""
    if vocabulary.has_word(plain):
        return True
    rest = [plain.removeprefix(prefix) for prefix in _PREFIXES if plain.startswith(prefix)]
    bare = dict.fromkeys([plain, *(word for word in rest if len(word) > 4)])
    return any(vocabulary.has_word(form) for word in bare for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    """A word, and what it may be derived from."""
    yield word
    yield from (word.removesuffix(ending) for ending in _AFTER_E if word.endswith("e" + ending))
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    for ending in _AFFIXES:
        root = word.removesuffix(ending)
        if root == word or len(root) < 3:
            continue
        yield from (root, root + "e")
        if root.endswith("i"):
            yield root[:-1] + "y"
        if len(root) > 4 and root[-1] == root[-2]:
            yield root[:-1]
