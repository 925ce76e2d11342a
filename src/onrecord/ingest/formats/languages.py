"""Names and codes of languages, as transcribers write them, into ISO 639 codes."""

from __future__ import annotations

import re

_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")
# The English names that Whisper uses (the OpenAI API answers with names).
_NAMES = """
af afrikaans, am amharic, ar arabic, as assamese, az azerbaijani, ba bashkir, be belarusian, bg bulgarian,
bn bengali, bo tibetan, br breton, bs bosnian, ca catalan, ca valencian, cs czech, cy welsh, da danish,
de german, el greek, en english, es spanish, es castilian, et estonian, eu basque, fa persian, fi finnish,
fo faroese, fr french, gl galician, gu gujarati, ha hausa, haw hawaiian, he hebrew, hi hindi, hr croatian,
ht haitian creole, ht haitian, hu hungarian, hy armenian, id indonesian, is icelandic, it italian,
ja japanese, jw javanese, ka georgian, kk kazakh, km khmer, kn kannada, ko korean, la latin,
lb luxembourgish, lb letzeburgesch, ln lingala, lo lao, lt lithuanian, lv latvian, mg malagasy, mi maori,
mk macedonian, ml malayalam, mn mongolian, mr marathi, ms malay, mt maltese, my myanmar, my burmese,
ne nepali, nl dutch, nl flemish, nn nynorsk, no norwegian, oc occitan, pa punjabi, pa panjabi, pl polish,
ps pashto, ps pushto, pt portuguese, ro romanian, ro moldavian, ru russian, sa sanskrit, sd sindhi,
si sinhala, si sinhalese, sk slovak, sl slovenian, sn shona, so somali, sq albanian, sr serbian,
su sundanese, sv swedish, sw swahili, ta tamil, te telugu, tg tajik, th thai, tk turkmen, tl tagalog,
tr turkish, tt tatar, uk ukrainian, ur urdu, uz uzbek, vi vietnamese, yi yiddish, yo yoruba, yue cantonese,
zh chinese, zh mandarin
"""
CODES = {name: code for code, _, name in (entry.strip().partition(" ") for entry in _NAMES.split(","))}
"""The codes of languages by their English names."""

_THREE = """
ar ara, bg bul, ca cat, cs ces cze, cy cym wel, da dan, de deu ger, el ell gre, en eng, es spa, et est,
eu eus baq, fa fas per, fi fin, fr fra fre, ga gle, he heb, hi hin, hr hrv, hu hun, id ind, is isl ice,
it ita, ja jpn, ko kor, lt lit, lv lav, nl nld dut, no nor, pl pol, pt por, ro ron rum, ru rus,
sk slk slo, sl slv, sr srp, sv swe, sw swa, ta tam, th tha, tr tur, uk ukr, ur urd, vi vie, zh zho chi cmn
"""
_OF_THREE = {three: code for code, *some in (entry.split() for entry in _THREE.split(",")) for three in some}
"""The codes of two letters by those of three."""


def language_code(label: str) -> str | None:
    """The ISO 639 code of a language: "en" for "en", "en-US", "en_us" and "English"; None for what is
    neither a code nor a known name ("auto", "multi")."""
    label = label.strip().lower()
    if label in CODES:
        return CODES[label]
    if label in _OF_THREE:
        return _OF_THREE[label]
    code = _CODE.fullmatch(label)
    return code[1] if code else None
