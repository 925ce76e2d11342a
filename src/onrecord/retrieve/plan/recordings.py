"""Recordings named in a question: by number, by title or a part of it, or as the latest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from heapq import nsmallest
from itertools import islice

from onrecord.retrieve.plan.asked import GONE, Asked, Span, words_of
from onrecord.retrieve.plan.calendar_words import ORDINALS, either
from onrecord.retrieve.plan.kinds import BODIES, GENERIC, RECORDINGS
from onrecord.retrieve.plan.known import Known, Title, content, series_of
from onrecord.retrieve.plan.relations import RELATION
from onrecord.stores.words import STOP, singular
from onrecord.types import Recording

_KIND = either({*RECORDINGS, *BODIES, "special", "debate", "exposition"})
_ALIKE = 0.85
"""How alike a quoted title must be to the one in the archive, 0..1 (difflib's ratio)."""
_MOST_LIKENED = 50
"""Titles that a quoted one is compared with, at 30 us each."""
_MOST_KINDS = 20
"""Places where a question says "episode" or the like that are looked at."""
_LONGEST = 12
"""Words behind "the episode on" that may be of its title."""
_FEW = 5
"""More recordings than this are no reading of a title, but a topic."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a question that names a recording, those that it can be, and what stands before it that
    makes a date of it ("before the election episode"). `number` where it was named by one; `which` is
    "first" or "last" where the oldest or the latest is meant."""

    span: Span
    candidates: tuple[Recording, ...]
    relation: str = ""
    number: int | None = None
    which: str = ""


def titled(asked: Asked, known: Known, linked: Sequence[Reference] = ()) -> list[Reference]:
    """Titles written out, in quotation marks or as they are; series with a number, and codes. `linked` are
    those that stand for a link."""
    left = asked.without(reference.span for reference in linked)
    found = [*linked, *(list(_quoted(left, known)) or _verbatim(left, known))]
    for read in (_of_series, _coded, _of_one_word):
        left = asked.without(reference.span for reference in found)
        found += read(left, known)
    return [_related(asked, reference) for reference in found]


def described(asked: Asked, known: Known) -> list[Reference]:
    """Recordings by number ("episode 12"), by place ("the latest episode"), by words of their title ("the
    copper episode", "l'épisode sur le prix du sel")."""
    found: list[Reference] = []
    for read in (_numbered, _placed, _by_words):
        left = asked.without(reference.span for reference in found)
        found += [_related(asked, reference) for reference in read(left, known)]
    return found


def _related(asked: Asked, reference: Reference) -> Reference:
    """With what stands before it: the kind of thing, articles, and "before" or "since"."""
    begin, end = reference.span
    before = asked.low[max(0, begin - 60) : begin]
    article = re.search(rf"(?:\b(?:the|this|that|le|la|cet?|cette)\s+|\bl')?(?:{_KIND} )?[\"']?$", before)
    begin -= len(article[0]) if article else 0
    relation = RELATION.search(asked.low[max(0, begin - 40) : begin])
    if relation:
        begin -= len(relation[0])
    return replace(reference, span=(begin, end), relation=relation.lastgroup or "" if relation else "")


# ---------------------------------------------------------------- by title

_QUOTES = re.compile(r"\"\s*([^\"]{3,120}?)\s*\"|(?<!\w)'([^']{3,120}?)'(?!\w)")


_NAMED = re.compile(
    rf"(?:\b(?:{_KIND}|called|titled|in|from|of|at|on|during|does|do|did|summari[sz]e|recap|dans|de|du|sur|"
    r"montre|dit|pendant|resume[rz]?),? (?:the |le |la )?|\bl')$"
)
"""What stands before a quoted title that is one: not "whose third album is"."""


def _quoted(asked: Asked, known: Known) -> Iterator[Reference]:
    for found in _QUOTES.finditer(asked.low):
        after = re.match(rf" {_KIND}\b", asked.low[found.end() :])
        if not after and not _NAMED.search(asked.low[max(0, found.start() - 40) : found.start()]):
            continue
        said = found[1] or found[2]
        meaning = content(said)
        likeness = [(_likeness(said, title), title) for title in _with_any(meaning, said, known)]
        best = max((like for like, _ in likeness), default=0.0)
        if best >= _ALIKE:
            yield Reference(found.span(), tuple(title.recording for like, title in likeness if like == best))


def _with_any(meaning: frozenset[str], said: str, known: Known) -> list[Title]:
    """The titles that hold a word of what is quoted. Of many those that hold most of its words and are about
    as long as it, without those at the edge that are no further from it than others left out."""

    def far(title: Title) -> tuple[int, int]:
        texts = (title.text, title.recording.title)  # without and with the name of the series
        return -len(title.content & meaning), min(abs(len(text) - len(said)) for text in texts)

    found = [title for title in known.titles if not title.content.isdisjoint(meaning)]
    if len(found) <= _MOST_LIKENED:
        return found
    *nearest, edge = nsmallest(_MOST_LIKENED + 1, found, key=far)
    return [title for title in nearest if far(title) < far(edge)]


def _likeness(said: str, title: Title) -> float:
    """How alike two titles are, with or without the name of the series."""
    words = " ".join(words_of(said))
    wholes = (" ".join(title.main), " ".join(words_of(title.recording.title)))
    return max(SequenceMatcher(None, words, whole).ratio() for whole in wholes)


def _verbatim(asked: Asked, known: Known) -> Iterator[Reference]:
    tokens = asked.tokens()
    written = [token.low for token in tokens]
    for at, word in enumerate(written):
        for title in known.by_first_word.get(word, ()):
            end = at + len(title.main)
            if tuple(written[at:end]) != title.main:
                continue
            span = tokens[at].begin, tokens[end - 1].end
            if _is_title(asked, span, title, first=at == 0):
                alike = known.by_first_word[word]
                yield Reference(span, tuple(t.recording for t in alike if t.main == title.main))


_MEANT = re.compile(
    rf"(?:{_KIND} (?:called |titled |entitled |intitulee? )?|"
    r"\b(?:q ?& ?a|demo|demonstration|introduction|conclusion|questions?|transcript|recording|summary|"
    r"overview|recap|takeaways|points|resume|synthese|transcription) (?:of|from|in|de|du|des) |"
    r"\b(?:summari[sz]e|recap|outline|resume[rz]?|during|throughout|pendant|lors de) |"
    r"\b(?:said|say|says|discussed|mentioned|happens?|happened|covered|heard|dit|dit-on|parle|passe)"
    r"(?: \w+){0,2} (?:in|at|dans) )(?:the |le |la |l')?[\"']?$"
)
"""What stands before a title that is meant as one, and not as the thing that it is called after."""


_ABOUT_IT = re.compile(
    r"\bwhat(?:'s| is| was) (?:the )?\x01 (?:all )?about\b|\bde quoi (?:parle|traite) (?:la |le |l')?\x01"
)
_SAID_IN_IT = re.compile(
    r"\bwhat (?:does|did) (?:the )?\x01 (?:say|cover|discuss)\b|\bque dit (?:la |le |l')?\x01 (?:d|sur)"
)
"""Questions for what a title, here in place of \\x01, is about, and for what it says."""


def _marked(asked: Asked, span: Span) -> str:
    """What stands around a title, which is \\x01."""
    begin, end = span
    return asked.low[max(0, begin - 40) : begin] + "\x01" + asked.low[end : end + 20]


def _asked_for_itself(asked: Asked, span: Span) -> bool:
    """Whether a question wants to know what a recording is about, or says: not what it is called after. What
    says something is a title with a number: others may be people."""
    begin, end = span
    around = _marked(asked, span)
    numbered = any(letter.isdigit() for letter in asked.low[begin:end])
    return bool(_ABOUT_IT.search(around) or (numbered and _SAID_IN_IT.search(around)))


_THE = re.compile(r"(?:\b(?:the|le|la|au|du) |\bl')$")
"""What makes a title of words that say what kind of recording it is: "la réunion de mai"."""


def _is_title(asked: Asked, span: Span, title: Title, first: bool) -> bool:
    """Whether words that are a title are meant as one: "tariffs and trade" may be just that, and "who
    directed A Long Summer" asks for no recording."""
    text, known = asked.text[slice(*span)], title.text[-(span[1] - span[0]) :]
    written = text[0].isupper() and not first and text[1:] == known[1:]
    says_so = re.search(rf"\b{_KIND}\b", asked.low[slice(*span)])
    ahead = asked.low[max(0, span[0] - 60) : span[0]]
    named = written or len(title.main) >= 5 or (len(title.main) > 1 and _THE.search(ahead))
    return bool(_MEANT.search(ahead) or (says_so and named) or _asked_for_itself(asked, span))


def _of_one_word(asked: Asked, known: Known) -> Iterator[Reference]:
    """ "What is Tariffs about?": a title of one word, written as one, of which nothing else is asked."""
    for token in asked.tokens() if "about" in asked.low or "de quoi" in asked.low else ():
        span = token.begin, token.end
        titled = known.one_word_titles.get(token.low, ()) if token.capital and token.begin else ()
        if titled and _ABOUT_IT.search(_marked(asked, span)):
            yield Reference(span, titled)


_NUMBERED = frozenset("episode ep no number numero".split())


def _of_series(asked: Asked, known: Known) -> Iterator[Reference]:
    """ "Slow Signals 4", "slow signals, episode 4": the name of a series and a number in it."""
    tokens = asked.tokens()
    words = tuple(token.low for token in tokens)
    for at, token in enumerate(tokens):
        candidates = known.numbered.get(int(token.low), ()) if _IS_NUMBER(token.low) else ()
        end = at
        while candidates and end and words[end - 1] in _NUMBERED:
            end -= 1
        for name in {name for recording in candidates for name in series_of(recording)}:
            if words[max(end - len(name), 0) : end] == name:
                among = tuple(recording for recording in candidates if name in series_of(recording))
                yield Reference((tokens[end - len(name)].begin, token.end), among)
                break


_WITHIN = re.compile(
    rf"(?:{_KIND} |\b(?:in|from|during|summari[sz]e|recap|dans|pendant|lors de|resume[rz]?) "
    rf"(?:the |la |le |l')?(?:{_KIND} )?)$"
)


def _coded(asked: Asked, known: Known) -> Iterator[Reference]:
    """ "In ES2015c": a word of letters and figures that one title has."""
    for token in asked.tokens():
        coded, span = known.coded.get(token.low, ()), (token.begin, token.end)
        if len(coded) != 1:
            continue
        if _WITHIN.search(asked.low[max(0, token.begin - 40) : token.begin]) or _asked_for_itself(
            asked, span
        ):
            yield Reference(span, coded)


# ---------------------------------------------------------------- by number and place

_IS_KIND = re.compile(_KIND).fullmatch
_IS_NUMBER = re.compile(r"[0-9]{1,4}").fullmatch
_NUMBER = re.compile(
    rf"(?:\b(?:{_KIND}|ep|epis|part|numero|number)s?\.? ?(?:number |numero |no\.? ?|n° ?|# ?)?|"
    rf"(?<!\w)#)(\d{{1,4}})\b"
)
_NTH = re.compile(
    rf"\b(second|third|fourth|deuxieme|troisieme|quatrieme|\d{{1,3}}(?:nd|rd|th|eme|e)) {_KIND}\b"
)
_PLACE = re.compile(
    rf"\b(?:(?P<last>latest|last|newest|most recent|derniere?|plus recente?)|(?P<first>first|oldest|earliest|"
    rf"premiere?))[{GONE} ]+(?P<kind>{_KIND})\b"
)
_OF_ANOTHER = re.compile(
    rf" (?:of|from|about|on|de|du|des|d'|sur) ?(?:the |la |le |les |l')?(?!{_KIND}\b)[^\W\d_]"
)
"""The latest of a series that the archive does not know, or about something, is not the latest of all."""


def _numbered(asked: Asked, known: Known) -> Iterator[Reference]:
    for pattern in (_NUMBER, _NTH):
        for found in pattern.finditer(asked.low):
            digits = re.match(r"\d+", found[1])
            number = int(digits[0]) if digits else ORDINALS[found[1]]
            yield Reference(found.span(), known.numbered.get(number, ()), number=number)


def _placed(asked: Asked, known: Known) -> Iterator[Reference]:
    for found in _PLACE.finditer(asked.low):
        which = "first" if found["first"] else "last"
        described = _after(asked, known, found.span("kind"))
        if described:
            yield Reference((found.start(), described.span[1]), described.candidates, which=which)
        elif _OF_ANOTHER.match(asked.low[found.end() :]):
            continue
        elif found["kind"] in GENERIC:
            yield Reference(found.span(), known.recordings, which=which)
        elif titled := _titles_with([found["kind"]], known):
            yield Reference(found.span(), titled, which=which)


def chosen(which: str, candidates: Iterable[Recording]) -> tuple[Recording, ...]:
    """The oldest or the latest of them, by date; nothing where none has a date or several have that one."""
    dated = [(r.details.date, r) for r in candidates if r.details.date]
    if not dated:
        return ()
    day = (max if which == "last" else min)(day for day, _ in dated)
    return tuple(recording for other, recording in dated if other == day)


# ---------------------------------------------------------------- by words of the title

_DEFINITE = re.compile(r"(?:\b(?:the|this|that|our|le|la|cet?|cette|au|du)\s+|\bl')(?:\w+ )?$")
"""What stands before a kind that is a thing and no verb: not "does Kelly talk about heat pumps"."""
_AHEAD = re.compile(
    rf"^(?P<link> (?:about|on|sur|called|titled|of|du|des|de la|de|:))? (?P<words>[^.,;:!?{GONE}\"]+)"
)


def _by_words(asked: Asked, known: Known) -> Iterator[Reference]:
    for kind in islice(re.finditer(rf"\b{_KIND}\b", asked.low), _MOST_KINDS):
        found = _before(asked, known, kind.span()) or _after(asked, known, kind.span())
        if found:
            yield found


_PLACED = re.compile(
    r"(?:\b(?:in|at|of|from|during|before|after|since|summari[sz]e|recap|dans|de|du|au|lors|resume[rz]?)"
    r"(?: of)? |,\s*)(?:the |le |la |l'|this |that )?$"
)
"""What stands before a body whose meeting is meant: not "when does the harbour committee meet"."""


def _before(asked: Asked, known: Known, kind: Span) -> Reference | None:
    """ "The housing ladder episode"."""
    text = asked.low[: kind[0]]
    for found in reversed(list(re.finditer(r"\b(?:the|that|this|our|your)\s+|\bl'", text[-80:]))):
        words = text[-80:][found.end() :]
        if len(words.split()) > 6 or re.search(rf"[.,;:!?{GONE}]", words):
            return None
        titles = _titles_with(words_of(words), known)
        begins = kind[0] - len(words)
        body = asked.low[slice(*kind)] in BODIES
        if titles and (not body or _PLACED.search(text[:begins])):
            return Reference((begins, kind[1]), titles)
    return None


def _after(asked: Asked, known: Known, kind: Span) -> Reference | None:
    """ "L'épisode sur le prix du sel", "la réunion du conseil municipal"."""
    found = _AHEAD.match(asked.low[kind[1] :])
    if not found or not _DEFINITE.search(asked.low[max(0, kind[0] - 40) : kind[0]]):
        return None
    words = re.findall(r"\w+", found["words"])
    offset = kind[1] + found.start("words")
    for length in range(min(len(words), _LONGEST), 0, -1):
        some = words[:length]
        meaning = len([word for word in some if word not in STOP])
        if meaning < (1 if found["link"] and length == len(words) else 2):
            break
        titles = _titles_with(some, known)
        if titles:
            end = re.match(r"\W*".join(map(re.escape, some)), found["words"])
            return Reference((kind[0], offset + (end.end() if end else 0)), titles)
    return None


def _titles_with(words: Sequence[str], known: Known) -> tuple[Recording, ...]:
    """The recordings whose titles hold all of the words that mean something; misspelt ones set right."""
    meant = [singular(word) for word in words if word not in STOP]
    wanted = {_as_in_titles(word, known) for word in meant if word in known.title_words or not _IS_KIND(word)}
    if not wanted or None in wanted:
        return ()
    fewest = min((known.titles_by_word.get(word or "", ()) for word in wanted), key=len)
    return tuple(title.recording for title in fewest if wanted <= title.content)


def _as_in_titles(word: str, known: Known) -> str | None:
    if word in known.title_words:
        return word
    if len(word) < 6:
        return None
    near = known.near_title_words.to(word, 1)
    return near[0] if len(near) == 1 else None


def few(candidates: Sequence[Recording]) -> bool:
    """Whether so few recordings are meant that it is worth asking which one."""
    return 1 < len(candidates) <= _FEW
