"""Speakers written in front of their words ("Kelly: Good morning"), told from other colons.

A colon after a few words is weak evidence: "Note:", "Google: don't be evil" and "10:30" have one too. What
decides is the whole file: a label that comes back at the beginning of sentences, or one marked by more
than its colon, makes speakers; once a file has them, names that come only once are believed as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST = 60
"""Characters: no speaker's label is longer."""


@dataclass(frozen=True, slots=True)
class Label:
    """What may be a speaker's name in front of words.

    `end` is the offset at which the words begin; `marked` says that more than a colon speaks for a
    speaker (brackets, bold type, a time, a number as in "Speaker 1"); `opens` that it stands where a
    sentence begins; `unit` is the number of the caption or paragraph it stands in.
    """

    name: str
    end: int
    marked: bool = False
    opens: bool = True
    unit: int = 0


_NUMBERED = (
    r"(?:speaker|spk|participant|guest|host|caller|interviewe[re]|moderator|respondent|panelist|student"
    r"|audience(?: member)?|person|voice|unknown(?: speaker)?|unidentified(?: speaker)?|sprecher|intervenant"
    r"|locuteur|orador|hablante|female|male|man|woman)"
    r"[ _#-]{0,2}(?:\d{1,4}|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_NUMBERED_SPEAKER = re.compile(_NUMBERED, re.IGNORECASE)
_BEFORE_COLON = re.compile(
    r"\s*(?:\[(?P<bracketed>[^\[\]\n]{1,60})\]|(?P<bare>[^\s:：\[\]<>{}|=*\"“][^:：\n<>{}|\[\]\"“”]{0,59}?))"
    r"[ \t]*(?::(?=\s|$)|：)\s*"
)
_IN_BRACKETS = re.compile(rf"\s*\[(?P<bracketed>{_NUMBERED})\]\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.?!…。？！♪\])\"”»'’*:-][\s\"”»'’)\]]*$")

_PARTICLE_WORDS = """
    de del della der den des di da dos du d la le les el al bin ibn ben van von vom zu zur af av ter ten y e
    und and et the of for from with aka jr sr
"""
_ROLE_WORDS = """
    speaker host guest interviewer interviewee moderator narrator operator announcer reporter caller
    audience all both everyone unknown unidentified participant presenter panelist respondent voice man
    woman boy girl male female student teacher voiceover
"""
_TURN_WORDS = "question answer q a frage antwort pregunta respuesta réponse"
_HEADING_WORDS = """
    note notes nb n.b ps p.s p.p.s warning caution attention important example examples e.g i.e tip tips hint
    fact reminder remember disclaimer correction corrections update edit source sources credit credits
    title subtitle date time duration length location place subject topic topics re fw fwd from to cc bcc url
    link links http https www website web email e-mail mail phone tel fax twitter summary overview abstract
    transcript transcription keywords tags category categories episode season chapter part step section
    figure fig table list references reference translator translation translators reviewer reviewers
    transcriber transcribers subtitles captions captioned caption sync resync language lang kind show series
    podcast recorded published author authors copyright licence license sponsor sponsors first second third
    fourth fifth firstly secondly thirdly finally lastly also again so and but or now then well because
    however therefore meaning result results conclusion conclusions problem solution bottom-line verdict
    quote unquote monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december today tomorrow yesterday yes no ok okay right look
    listen see meanwhile previously next coming background context aside p.m a.m pm am speakers participants
    attendees attendance hosts guests agenda members present absent remarque exemple hinweis achtung
    beispiel nota ejemplo importante atención anmerkung
"""
_HEADINGS_BEGIN = """
    subtitles captions captioned translated translation transcribed transcription transcript recorded edited
    chapter part episode step figure section table rule lesson question point number option version day week
    year level breaking fun spoiler bottom show meeting
"""
_REMARK_WORDS = """
    break ad ads advert adbreak commercial commercials jingle music theme intro outro sponsor sponsors
    applause laughter pause silence crosstalk interlude transition sfx pre-roll mid-roll post-roll
"""
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
_ROLES = frozenset(_ROLE_WORDS.split())
_ONLY_OFTEN = frozenset(_TURN_WORDS.split())
_HEADINGS = frozenset(_HEADING_WORDS.split())
_BEGIN_HEADINGS = frozenset(_HEADINGS_BEGIN.split())
_REMARKS = frozenset(_REMARK_WORDS.split())


def label_at(text: str, pos: int = 0) -> Label | None:
    """What may be a speaker's label at `pos` of `text`: a few words and a colon, or "[SPEAKER_00]"."""
    found = _BEFORE_COLON.match(text, pos) or _IN_BRACKETS.match(text, pos)
    if found is None:
        return None
    bracketed = found["bracketed"]
    name = " ".join((bracketed or found["bare"]).split())
    if not any(c.isalpha() for c in name):
        return None
    return Label(name, found.end(), marked=bool(bracketed) or is_numbered(name))


def is_numbered(name: str) -> bool:
    """Whether a label is one that programs give: "Speaker 1", "SPEAKER_00", "Speaker B"."""
    return bool(_NUMBERED_SPEAKER.fullmatch(name))


def is_remark(name: str) -> bool:
    """Whether a label says what is heard instead of who speaks: "Break", "Music"."""
    words = name.lower().split()
    return bool(words) and all(word in _REMARKS for word in words)


def is_name(name: str) -> bool:
    """Whether a label is written like a person's name or role: "Dr. Anna de Vries", "Q", "Host 2"."""
    words = name.split()
    if not 1 <= len(words) <= 6 or len(name) > 50 or _is_heading(name):
        return False
    if is_numbered(name):
        return True
    begins = _begins_name(words[0]) or words[0].lower().strip("()") in _ROLES
    return begins and all(_fits_name(word) for word in words[1:])


def _is_heading(name: str) -> bool:
    """Whether a label is a word that stands before colons without being anybody."""
    words = name.lower().split()
    return name.lower().strip(".") in _HEADINGS or (len(words) > 1 and words[0] in _BEGIN_HEADINGS)


def _begins_name(word: str) -> bool:
    bare = word.strip("(\"'‘’“”@#")
    return bool(bare) and bare[0].isalpha() and not (bare[0].islower() and bare[1:2] not in ("'", "’"))


def _fits_name(word: str) -> bool:
    bare = word.strip("()\"'‘’“”@#&,/–-")
    if bare.endswith(".") and len(bare) > 6:  # longer than "Prof.": the end of a sentence
        return False
    if any(c in bare for c in "?!;…=+$%^~"):
        return False
    return not bare or bare[0].isdigit() or bare.lower() in _PARTICLES or _begins_name(bare)


def ends_sentence(text: str) -> bool:
    """Whether a new speaker may begin after this text: it is empty, or its last sentence is complete."""
    text = text[-20:].rstrip()
    return not text or bool(_SENTENCE_END.search(text))


def speakers(labels: Iterable[Label], units: int) -> frozenset[str]:
    """Which labels of a file of so many captions or paragraphs are speakers."""
    found = [label for label in labels if not _is_heading(label.name)]
    counts = Counter(label.name for label in found if label.opens)
    everywhere = units >= 3 and len({label.unit for label in found}) >= 0.8 * units
    often = {n for n, count in counts.items() if count > 1 and (everywhere or is_name(n))}
    marked = {label.name for label in found if label.marked}
    once = {name for name in counts if is_name(name) and name.lower() not in _ONLY_OFTEN}
    if often or marked or _begin_with_one(found, once):
        return frozenset(often | marked | once)
    return frozenset()


def _begin_with_one(labels: Sequence[Label], once: set[str]) -> bool:
    """Whether a file's first words are labelled as somebody's, and nothing gainsays it: others follow,
    or the label is short and of letters alone."""
    if not labels or labels[0].unit > 0 or labels[0].name not in once:
        return False
    name = labels[0].name
    return len(once) > 1 or (len(name.split()) <= 3 and all(c.isalpha() or c in " .'’-" for c in name))
