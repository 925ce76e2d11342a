"""Recognition of speakers' labels before their words ("Kelly: Good morning") among other text with colons.

A colon after a few words is weak evidence: "Note:", "Google: don't be evil" and "10:30" have one too. The
whole file decides. A label names a speaker if it recurs at the beginning of sentences, or if it has more
than a colon. Once a file has speakers, names that occur once count as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from onrecord.ingest.formats.lines import PICTURE
from onrecord.ingest.people import COURTESY_TITLES
from onrecord.types.calendar import ENGLISH_NAMES

MAX_LENGTH = 60
"""The maximum length of a speaker's label, in characters."""
MIN_COVERAGE = 0.8
"""The minimum share (0 to 1) of captions or paragraphs with labels for any label to name a speaker.

Above this share, even an unusual label such as "joe's iPhone" names a speaker.
"""


@dataclass(frozen=True, slots=True)
class Label:
    """A possible speaker's name before words, which begin at offset `end`.

    A `marked` label has more than a colon: brackets, bold type, a time, or a number as in "Speaker 1". A
    label that `opens` stands where a sentence begins. `unit` is the index of the label's caption or
    paragraph.
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
    r"\s*(?:\[(?P<bracketed>[^\[\]\n\x02-\x06]{1,60})\]"
    r"|(?P<bare>[^\s:：\[\]<>{}|=*\"“\x02-\x06][^:：\n<>{}|\[\]\"“”\x02-\x06]{0,59}?"
    r"(?:[ \t]?\[[^:：\[\]\n\x02-\x06]{1,60}\])?))"
    r"[ \t]*(?::(?=\s|$)|：)\s*"
)
_ANY_BEFORE_COLON = re.compile(r"\s*(?P<name>[^\s:：][^:：\n]{0,119}?)[ \t]*(?::(?=\s|$)|：)\s*")
_IN_BRACKETS = re.compile(rf"\s*[\[(](?P<bracketed>{_NUMBERED})[\])]\s*", re.IGNORECASE)
_ORNAMENT = re.compile(rf"(?:[@#•·*~>–—-]{{1,3}}|(?:{PICTURE}\s?){{1,4}}|\d{{1,4}}[.)])\s*(?=[^\W\d_])")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_PHONE_NUMBER = re.compile(r"\+\d[\d ()-]{6,20}\d")
_SENTENCE_ENDS = tuple(".?!…。？！♪])\"”»'’*:-")

_PARTICLE_WORDS = """
    de del della der den des di da dos du d la le les el al bin ibn ben van von vom zu zur af av ter ten
"""
_JOINING_WORDS = "y e und and et the of for from with aka jr sr"
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
    quote unquote today tomorrow yesterday yes no ok okay right look
    listen see meanwhile previously next coming background context aside p.m a.m pm am speakers participants
    attendees attendance contents hosts guests agenda members present absent action actions todo decision
    decisions resolution resolutions resolved scribe scribes minutes notetaker discussion remarque
    exemple hinweis achtung beispiel nota ejemplo importante atención anmerkung
"""
_HEADINGS_BEGIN = """
    subtitles captions captioned translated translation transcribed transcription transcript recorded edited
    chapter part episode step figure section table rule lesson question point number option version day week
    year level breaking fun spoiler bottom show meeting prepared questions
"""
_REMARK_WORDS = """
    break ad ads advert adbreak commercial commercials jingle music theme intro outro sponsor sponsors
    applause laughter pause silence crosstalk interlude transition sfx pre-roll mid-roll post-roll
"""
_EDGE_SIGNS = "()\"'‘’“”@#&,/–-"
_ABBREVIATED_WORDS = """
    dr mr mrs ms mx prof st ste jr sr rev fr hon capt lt col gen maj sgt cpl sen rep gov pres amb ing mag
    dipl phd esq bros sra srta mme mlle hr fru
"""
_TITLE_WORDS = """
    doctor professeur professeure mademoiselle señor señora señorita herr frau dame lord lady baroness baron
    king queen prince princess pope bishop archbishop father mother brother sister reverend rabbi imam
    president vice-president vice minister ministre premier chancellor secretary secrétaire ambassador
    governor mayor maire councillor councilor councilman councilwoman councilmember conseiller conseillère
    alderman alderwoman commissioner commissaire supervisor trustee representative congressman congresswoman
    assemblyman assemblywoman assemblymember delegate délégué déléguée senator sénateur sénatrice député
    députée deputy member speaker chair chairman chairwoman chairperson présidente président judge juge
    justice attorney counsel counselor maître inspector officer detective sheriff constable sergeant
    lieutenant captain capitaine major colonel commander admiral general général nurse coach director
    directeur directrice manager engineer
"""
_SUFFIXES = frozenset({"jr", "sr"})
"""Joining words that also end a name."""
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
_JOINING = _PARTICLES | frozenset(_JOINING_WORDS.split())
_ABBREVIATIONS = frozenset(_ABBREVIATED_WORDS.split())
_TITLES = COURTESY_TITLES | frozenset(_TITLE_WORDS.split())
_ROLES = frozenset(_ROLE_WORDS.split())
_TURN_NAMES = frozenset(_TURN_WORDS.split())
_HEADINGS = frozenset(_HEADING_WORDS.split()) | ENGLISH_NAMES
_BEGIN_HEADINGS = frozenset(_HEADINGS_BEGIN.split())
_REMARKS = frozenset(_REMARK_WORDS.split())


def label_at(text: str, pos: int = 0) -> Label | None:
    """Return a possible speaker's label at `pos`: a few words and a colon, or "[SPEAKER_00]"."""
    match = _BEFORE_COLON.match(text, pos) or _IN_BRACKETS.match(text, pos)
    if match is None:
        return None
    bracketed = match["bracketed"]
    name = " ".join((bracketed or match["bare"]).split())
    if not (any(c.isalpha() for c in name) or is_phone_number(name)):
        return None
    if name.count("(") != name.count(")"):
        return None  # the parenthesis continues after the colon: "Tere Lal (Hindi: my red)"
    return Label(name, match.end(), marked=bool(bracketed) or is_numbered(name))


def opening_at(text: str, pos: int = 0) -> Label | None:
    """Return whatever stands before a colon at `pos`, also if `label_at` knows no such label: "#1: No"."""
    match = _ANY_BEFORE_COLON.match(text, pos)
    return Label(" ".join(match["name"].split()), match.end()) if match else None


def without_asides(name: str) -> str:
    """Return a label without its text in brackets: "Elaine" for "Elaine [to Jerry]"."""
    return _ASIDE.sub("", name).strip() or name


def without_ornament(name: str) -> str:
    """Return a label without a sign, emoji or number before the name: "Ann" for "2. Ann"."""
    ornament = _ORNAMENT.match(name)
    return name[ornament.end() :] if ornament else name


def is_numbered(name: str) -> bool:
    """Return whether a label is a numbered generic name: "Speaker 1", "SPEAKER_00", "Speaker B"."""
    return bool(_NUMBERED_SPEAKER.fullmatch(name))


def is_remark(name: str) -> bool:
    """Return whether a label names a sound instead of a speaker: "Break", "Music"."""
    words = name.lower().split()
    return bool(words) and all(word in _REMARKS for word in words)


def is_name(name: str) -> bool:
    """Return whether a label looks like a person's name or role: "Dr. Anna de Vries", "Q", "Host 2"."""
    words = without_asides(name).split()
    if not 1 <= len(words) <= 6 or len(name) > 50 or is_heading(name) or name.startswith("("):
        return False  # "(deep rumbling) MAN" is a remark that contains a name
    if is_numbered(name):
        return True
    if len(words) > 1 and words[-1] in _JOINING - _SUFFIXES:  # "Best for" goes on behind its colon
        return False
    is_role_first, parts = is_role(words[0]), _without_small_titles(words)
    first = next((word for word in parts if word not in _PARTICLES), parts[0])  # "van den Berg"
    begins = _begins_name(first) or is_role_first
    return begins and all(map(_is_clean, words)) and all(map(_goes_on_name, parts[1:]))


def _without_small_titles(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a name without titles in lower case before it: "prof. Anna Bell"."""
    return list(dropwhile(lambda word: word.islower() and is_title(word), words)) or words


def is_abbreviation(word: str) -> bool:
    """Return whether a word is an abbreviation that takes a dot next to a name: "Prof"."""
    return word.lower() in _ABBREVIATIONS


def is_title(word: str) -> bool:
    """Return whether a word is a title: "Ms.", "Councillor"."""
    bare = word.lower().strip(".,")
    return bare in _ABBREVIATIONS or bare in _TITLES


def is_joining(word: str) -> bool:
    """Return whether a word joins other words, perhaps within a name: "and", "of", "van"."""
    return word.lower() in _JOINING


def is_role(word: str) -> bool:
    """Return whether a word is a role in a recording: "Moderator", "unknown"."""
    return word.lower().strip("()") in _ROLES


def is_turn_word(name: str) -> bool:
    """Return whether a label names a kind of turn instead of a person: "Q", "Answer"."""
    return name.lower() in _TURN_NAMES


def is_usual(name: str) -> bool:
    """Return whether a label is common in transcripts: "Host", "Q", "Speaker 1"."""
    return is_role(name) or is_turn_word(name) or is_numbered(name)


def is_phone_number(name: str) -> bool:
    """Return whether a label is a telephone number, as chats show for senders without a name."""
    return bool(_PHONE_NUMBER.fullmatch(name))


def is_clean(name: str) -> bool:
    """Return whether a label is short and unlike a sentence; it may be in lower case: "joe's iPhone"."""
    words = without_asides(name).split()
    return (
        0 < len(words) < 3
        and all(map(_is_clean, words))
        and not (name.startswith("(") or name.endswith((",", ".")))
    )


def is_heading(name: str) -> bool:
    """Return whether a label is a word that often precedes a colon but names no speaker: "Note"."""
    words = name.lower().split()
    return name.lower().strip(".") in _HEADINGS or (len(words) > 1 and words[0] in _BEGIN_HEADINGS)


def is_titled(name: str) -> bool:
    """Return whether over 70% of a label's words begin with a capital, as in a name with a role."""
    words = name.split()
    return sum(word[:1].isupper() for word in words) > 0.7 * len(words)


def has_label_shape(name: str) -> bool:
    """Return whether no word of a label begins small or ends a sentence: "(555) 123-4567", "Ann | Acme"."""
    words = name.split()
    return all(map(_is_clean, words)) and not any(
        word.lower() not in _JOINING and word.lstrip(_EDGE_SIGNS)[:1].islower() for word in words
    )


def is_counted(name: str) -> bool:
    """Return whether a label ends in a digit but is not a numbered speaker: "Part 2"."""
    return name[-1:].isdecimal() and not is_numbered(name)


def _begins_name(word: str) -> bool:
    bare = word.strip(_EDGE_SIGNS)
    return bare[:1].isalpha() and (not bare[0].islower() or not bare.islower())  # "deSouza", "d'Arc"


def _goes_on_name(word: str) -> bool:
    bare = word.strip(_EDGE_SIGNS)
    if not any(map(str.isalnum, bare)):
        return word != "-" and not (bare and bare.isascii())  # accept an emoji, as in "Ann 🚲"
    return bare[0].isdigit() or bare.lower() in _JOINING or _begins_name(bare)


def _is_clean(word: str) -> bool:
    """Return whether a word has no sentence punctuation or symbols; a dot may end an abbreviation."""
    bare = word.rstrip(".").strip(_EDGE_SIGNS)
    is_end = word.endswith(".") and len(bare) > 1 and "." not in bare and bare.lower() not in _ABBREVIATIONS
    return not is_end and not any(c in word for c in "?!;…=+$%^~")


def ends_sentence(text: str) -> bool:
    """Return whether a text is empty or ends a sentence, so that another speaker may begin."""
    text = text[-20:].rstrip()
    return not text or text.endswith(_SENTENCE_ENDS)


def speaker_names(labels: Iterable[Label], units: int) -> frozenset[str]:
    """Return the labels that name speakers in a file of `units` captions or paragraphs."""
    candidates = [label for label in labels if not is_heading(label.name)]
    marked = {label.name for label in candidates if label.marked}
    counts = Counter(label.name for label in candidates if label.opens)
    recurring = {name for name, count in counts.items() if count > 1}
    if recurring and units >= 3 and len({label.unit for label in candidates}) >= MIN_COVERAGE * units:
        names = {label.name for label in candidates if is_name(label.name)}
        return frozenset(recurring | names | marked | set(filter(is_clean, counts)))
    recurring_names = {name for name in recurring if is_name(name)}
    once = {name for name in counts if is_name(name) and name.lower() not in _TURN_NAMES}
    if recurring_names or marked or _begin_with_speakers(candidates, once, units):
        return frozenset(recurring_names | marked | once)
    return frozenset()


def _begin_with_speakers(labels: Sequence[Label], once: set[str], units: int) -> bool:
    """Return whether the labels of a file name speakers although each occurs once.

    They do if two or more labels begin the file, if they begin near its start and cover at least half of the
    rest, or if a single label with a short and plain name begins it.
    """
    if not labels or labels[0].name not in once:
        return False
    begin = labels[0].unit
    if len(once) > 1:
        return begin == 0 or (begin <= 3 and len({label.unit for label in labels}) >= 0.5 * (units - begin))
    name = labels[0].name
    return begin == 0 and len(name.split()) <= 3 and all(c.isalpha() or c in " .'’-" for c in name)
