"""Tests of formats of players, editors and linguists: styled captions, lyrics, XML and annotation tiers."""
# ruff: noqa: E501 - files of others as they write them

from pathlib import Path

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript

ASS = r"""[Script Info]
; made by hand
Title: A talk
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:02.50,0:00:03.00,Default,Bo,0,0,0,,Tariffs, {\i1}mostly{\i0}.
Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,Not shown
Dialogue: 0,0:00:00.50,0:00:02.00,Default,Ann Lee,0,0,0,,{\an8\pos(1,2)}Why did\Nmargins\hfall?
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\p1}m 0 0 l 100 0 100 100{\p0}
"""


def test_substation_alpha() -> None:
    transcript = read_text(ASS, "ass", "talk.ass")
    assert spoken_turns(transcript) == [("Ann Lee", "Why did margins fall?"), ("Bo", "Tariffs, mostly.")]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]
    assert transcript.details.title == "A talk"


def test_older_substation_alpha_has_other_fields() -> None:
    text = (
        "[Script Info]\nScriptType: v4.00\n\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, "
        "MarginV, Effect, Text\nDialogue: Marked=0,0:00:00.50,0:00:02.00,*Default,Ann,0000,0000,0000,,Why?\n"
    )
    assert spoken_turns(read_text(text, "ass")) == [("Ann", "Why?")]


def test_a_song_has_times_of_syllables() -> None:
    text = ASS.splitlines()[:11]
    line = r"Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{\k50}Why {\kf25}so {\k25}low"
    transcript = read_text("\n".join([*text, line]), "ass")
    assert spoken_turns(transcript) == [(None, "Why so low")]
    assert transcript.turns[0].marks == ((0, 1.0), (4, 1.5), (7, 1.75))


def test_a_broken_event_is_named() -> None:
    with pytest.raises(FormatError, match=r"line 12: expected a time \(0:00:01.50\), found 'soon'"):
        read_text(ASS.replace("0:00:02.50", "soon"), "ass")


@pytest.mark.parametrize(
    "text",
    [
        "[ti:A song]\n[ar:Ann]\n[la:en]\n[00:00.50]Why did\n[00:01.50]margins fall?\n[00:02.50]\n",
        "[ti: A song]\n[ar: Ann]\n[la: en]\n[offset:+500]\n[00:01.00] Why did\n[00:02.00] margins fall?\n[00:03.00]\n",
        "[la:en][00:00.00]"
        if False
        else "[ti:A song]\n[ar:Ann]\n[la:en]\n[0:00:50]Why did\n[0:01:50]margins fall?\n[0:02:50]",
    ],
)
def test_lyrics(text: str) -> None:
    transcript = read_text(text, "lrc", "talk.lrc")
    assert spoken_turns(transcript) == [(None, "Why did margins fall?")]
    assert times(transcript) == [(0.5, 2.5)]
    assert (transcript.details.title, transcript.details.language) == ("A song", "en")


def test_lyrics_with_times_of_words_and_lines_that_come_back() -> None:
    transcript = read_text(
        "[00:01.00]<00:01.00>Why <00:01.40>so?\n[00:05.00][00:09.00]Low.\n[00:12.00]Oh.\n", "lrc"
    )
    assert spoken_turns(transcript) == [(None, "Why so? Low. Low. Oh.")]
    assert (
        (4, 1.4) in transcript.turns[0].marks
        and (8, 5.0) in transcript.turns[0].marks
        and (13, 9.0) in transcript.turns[0].marks
    )


def test_a_text_with_times_is_no_song() -> None:
    assert read_text("[00:12] Ann: Hello.\n[00:15] Bo: Hi.\n", "text").turns[0].speaker == "Ann"


def test_sami() -> None:
    text = (
        '<SAMI><HEAD><TITLE>A talk</TITLE><STYLE TYPE="text/css"><!-- P { color: white }\n'
        ".ENCC {Name: English; lang: en-US;} .FRCC {Name: French; lang: fr-FR;} --></STYLE></HEAD><BODY>\n"
        "<SYNC Start=500><P Class=ENCC>Why did<br>margins fall?\n<P Class=FRCC>Pourquoi ?\n"
        "<SYNC Start=2000><P Class=ENCC>&nbsp;\n<SYNC Start=2500><P Class=ENCC>BO: Tariffs.\n</BODY></SAMI>"
    )
    transcript = read_text(text, "sami", "talk.smi")
    assert [turn.text for turn in transcript.turns] == ["Why did margins fall? BO: Tariffs."] or spoken_turns(
        transcript
    )[1][0] == "BO"
    assert transcript.turns[0].start == 0.5
    assert (transcript.details.title, transcript.details.language) == ("A talk", "en")
    assert transcript.warnings == ("dropped captions in other languages: 1",)


TTML = """<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
    xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en" {parameters}>
  <head><metadata><ttm:title>A talk</ttm:title>
    <ttm:agent xml:id="a" type="person"><ttm:name type="full">Ann Lee</ttm:name></ttm:agent>
    <ttm:agent xml:id="b" type="person"><ttm:name type="given">Bo</ttm:name></ttm:agent></metadata></head>
  <body><div>
    <p begin="{0}" end="{1}" ttm:agent="a">Why did<br/>margins <span>fall?</span></p>
    <p begin="{2}" {3}><span ttm:agent="b">Tariffs.</span><metadata><ttm:desc>no words</ttm:desc></metadata></p>
  </div></body></tt>
"""


@pytest.mark.parametrize(
    ("parameters", "spans"),
    [
        ("", ("00:00:00.500", "00:00:02.000", "00:00:02.500", 'end="00:00:03.000"')),
        ("", ("0.5s", "2s", "2500ms", 'dur="0.5s"')),
        ("", ("0.5", "2", "2.5", 'end="3"')),
        ('ttp:frameRate="24"', ("00:00:00:12", "00:00:02:00", "60f", 'end="72f"')),
        ('ttp:tickRate="10000000"', ("5000000t", "20000000t", "25000000t", 'end="30000000t"')),
    ],
)
def test_timed_text_markup(parameters: str, spans: tuple[str, ...]) -> None:
    transcript = read_text(TTML.format(*spans, parameters=parameters), "ttml", "talk.ttml")
    assert spoken_turns(transcript) == [("Ann Lee", "Why did margins fall?"), ("Bo", "Tariffs.")]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]
    assert (transcript.details.title, transcript.details.language) == ("A talk", "en")


def test_words_of_two_agents_have_no_speaker() -> None:
    agents = "".join(
        f'<ttm:agent xml:id="{name[0]}"><ttm:name>{name}</ttm:name></ttm:agent>' for name in ("Ann", "Bo")
    )
    text = (
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata">'
        f'<head><metadata>{agents}</metadata></head><body ttm:agent="A"><p begin="0s" end="1s" ttm:agent="A B">Hello!</p>'
        '<p begin="1s" end="2s">Why?</p></body></tt>'
    )
    assert spoken_turns(read_text(text, "ttml")) == [(None, "Hello!"), ("Ann", "Why?")]


def test_times_count_from_the_element_around_unless_that_leads_out_of_it() -> None:
    body = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div begin="10s" end="20s"><p begin="{}" end="{}">Why?</p></div></body></tt>'
    assert times(read_text(body.format("1s", "2s"), "ttml")) == [(11.0, 12.0)]
    assert times(read_text(body.format("11s", "12s"), "ttml")) == [(11.0, 12.0)]


def test_words_with_times_in_a_paragraph() -> None:
    text = (
        '<tt:tt xmlns:tt="http://www.w3.org/ns/ttml"><tt:body><tt:div><tt:p begin="1s" end="3s"><tt:span begin="0s" '
        'end="1s">Why </tt:span><tt:span begin="1s" end="2s">so?</tt:span></tt:p></tt:div></tt:body></tt:tt>'
    )
    assert read_text(text, "ttml").turns[0].marks == ((0, 1.0), (4, 2.0))


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><pen id="1"/></head><body><w t="0"/>'
        '<p t="500" d="1500" w="1"><s>Why</s><s t="500"> so?</s></p><p t="1000" a="1">\n</p>'
        '<p t="2500" d="500">Tariffs &amp;amp; more.</p></body></timedtext>',
        '<transcript><text start="0.5" dur="1.5">Why so?</text><text start="2.5" dur="0.5">Tariffs &amp;amp; '
        "more.</text></transcript>",
        '<timedtext format="2"><text t="500" d="1500">Why so?</text><text t="2500" d="500">Tariffs &amp;amp; '
        "more.</text></timedtext>",
    ],
)
def test_youtube_in_xml(text: str) -> None:
    transcript = read_text(text, "timedtext", "talk.xml")
    assert spoken_turns(transcript) == [(None, "Why so? Tariffs & more.")]
    assert times(transcript) == [(0.5, 3.0)]


def test_microdvd() -> None:
    transcript = read_text(
        "{1}{1}25.000\n{25}{50}Why did|margins fall?\n{75}{100}{y:i}Tariffs.\n", "microdvd", "a.sub"
    )
    assert spoken_turns(transcript) == [(None, "Why did margins fall? Tariffs.")]
    assert times(transcript) == [(1.0, 4.0)]
    with pytest.raises(FormatError, match="frames a second"):
        read_text("{25}{50}Why?\n{75}{100}Tariffs.\n{125}{150}Oh.\n", "microdvd")


LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 3
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "Ann Lee"
        xmin = 0
        xmax = 3
        intervals: size = 2
        intervals [1]:
            xmin = 0.5
            xmax = 2
            text = "Why did ""margins"" fall?"
        intervals [2]:
            xmin = 2
            xmax = 3
            text = ""
    item [2]:
        class = "IntervalTier"
        name = "Bo"
        xmin = 0
        xmax = 3
        intervals: size = 1
        intervals [1]:
            xmin = 2.5
            xmax = 3
            text = "Tariffs."
    item [3]:
        class = "TextTier"
        name = "notes"
        xmin = 0
        xmax = 3
        points: size = 1
        points [1]:
            number = 1.5
            mark = "a click"
"""
SHORT = """File type = "ooTextFile"
"TextGrid"

0
3
<exists>
3
"IntervalTier"
"Ann Lee"
0
3
2
0.5
2
"Why did ""margins"" fall?"
2
3
""
"IntervalTier"
"Bo"
0
3
1
2.5
3
"Tariffs."
"IntervalTier"
"Bo - phones"
0
3
1
2.5
3
"t"
"""


@pytest.mark.parametrize("text", [LONG, SHORT])
def test_textgrid(text: str) -> None:
    transcript = read_text(text, "textgrid", "talk.TextGrid")
    assert spoken_turns(transcript) == [("Ann Lee", 'Why did "margins" fall?'), ("Bo", "Tariffs.")]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]
    (in_utf16,) = read("talk.TextGrid", text.encode("utf-16"))
    assert in_utf16.turns == transcript.turns


def test_a_textgrid_with_exponents() -> None:
    text = (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n5\n<exists>\n1\n"IntervalTier"\n"Ann"\n0\n5\n1\n'
        '5E-1\n1.5e+00\n"Why?"\n'
    )
    assert times(read_text(text, "textgrid")) == [(0.5, 1.5)]


def test_a_textgrid_that_breaks_off() -> None:
    with pytest.raises(FormatError, match="found the end of the file"):
        read_text(LONG[:500], "textgrid")


ELAN = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" VERSION="3.0"><HEADER TIME_UNITS="milliseconds"/>
<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="500"/><TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="2000"/>
<TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="2500"/><TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="3000"/></TIME_ORDER>
<TIER LINGUISTIC_TYPE_REF="default" PARTICIPANT="Ann Lee" TIER_ID="A"><ANNOTATION><ALIGNABLE_ANNOTATION
 ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2"><ANNOTATION_VALUE>Why did margins fall?</ANNOTATION_VALUE>
</ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER LINGUISTIC_TYPE_REF="default" TIER_ID="Bo"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2"
 TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts4"><ANNOTATION_VALUE>Tariffs.</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>
</ANNOTATION></TIER>
<TIER LINGUISTIC_TYPE_REF="gloss" PARENT_REF="A" TIER_ID="A in French"><ANNOTATION><REF_ANNOTATION
 ANNOTATION_ID="a3" ANNOTATION_REF="a1"><ANNOTATION_VALUE>Pourquoi ?</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER>
</ANNOTATION_DOCUMENT>
"""


def test_elan() -> None:
    transcript = read_text(ELAN, "elan", "talk.eaf")
    assert spoken_turns(transcript) == [("Ann Lee", "Why did margins fall?"), ("Bo", "Tariffs.")]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]


def test_elan_divides_the_time_of_slots_without_one() -> None:
    values = {1: 'TIME_VALUE="1000"', 2: "", 3: "", 4: 'TIME_VALUE="4000"', 5: ""}
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{n}" {value}/>' for n, value in values.items())
    words = {1: "The kiln cooled.", 2: "We waited.", 3: "Then it rang.", 4: "So we left."}
    said_between = "".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="ts{n}" TIME_SLOT_REF2="ts{n + 1}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        for n, text in words.items()
    )
    transcript = read_text(
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>"
        f'<TIER TIER_ID="Ann Lee">{said_between}</TIER></ANNOTATION_DOCUMENT>',
        "elan",
        "talk.eaf",
    )
    assert spoken_turns(transcript) == [("Ann Lee", " ".join(words.values()))]
    assert [second for _, second in transcript.turns[0].marks] == [1.0, 2.0, 3.0, 4.0]


def eaf(*tiers: tuple[str, str, list[tuple[int, str]]]) -> str:
    """Return ELAN with tiers of a name, a parent, and the second and words of each annotation."""
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{at}" TIME_VALUE="{at * 1000}"/>' for at in range(9))
    written = ""
    for name, parent, said in tiers:
        annotations = "".join(
            f'<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="t{at}" TIME_SLOT_REF2="t{at + 1}">'
            f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            for at, text in said
        )
        above = f' PARENT_REF="{parent}"' if parent else ""
        written += f'<TIER TIER_ID="{name}"{above}>{annotations}</TIER>'
    return f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{written}</ANNOTATION_DOCUMENT>"


def test_elan_tiers_of_one_person_are_read_once_under_their_name() -> None:
    """Check that segment numbers and translations are no speech, and that a tier's kind is no name."""
    text = eaf(
        ("A_phrase-segnum-en", "", [(0, "1"), (2, "2")]),
        ("A_phrase-txt-qaa", "", [(0, "mi kela"), (2, "to para")]),
        ("A_phrase-gls-en", "", [(0, "I went home"), (2, "you came")]),
        ("B_phrase-txt-qaa", "", [(1, "sina")]),
        ("B_phrase-gls-en", "", [(1, "why")]),
    )
    assert spoken_turns(read_text(text, "elan")) == [("A", "mi kela to para"), ("B", "sina")]
    text = eaf(("tx@ANN", "", [(0, "Why?"), (2, "So.")]), ("tx@BO", "", [(1, "Tariffs.")]))
    assert spoken_turns(read_text(text, "elan")) == [("ANN", "Why? So."), ("BO", "Tariffs.")]


@pytest.mark.parametrize("name", ["A_phrase-gls-en", "tx@ANN"])
def test_the_only_elan_tier_has_no_speaker_if_its_name_is_an_identifier(name: str) -> None:
    numbers = ("ref", "", [(0, "Tale.001"), (2, "Tale.002")])
    text = eaf(numbers, (name, "ref", [(0, "I went home"), (2, "you came")]))
    assert spoken_turns(read_text(text, "elan")) == [(None, "I went home you came")]


def test_two_people_with_the_same_times_are_both_read() -> None:
    """A recorder that cuts both channels at the same times makes no translation of either."""
    text = eaf(("Ann", "", [(0, "Why?"), (2, "So.")]), ("Bo", "", [(0, "Tariffs."), (2, "Yes.")]))
    assert spoken_turns(read_text(text, "elan")) == [("Ann", "Why? So."), ("Bo", "Tariffs. Yes.")]


@pytest.mark.timeout(60)
def test_many_tiers_with_the_same_times_take_time_that_grows_with_their_number() -> None:
    many = [(f"tx{number}", "", [(0, "Why?")]) for number in range(6000)]
    assert len(read_text(eaf(*many), "elan").turns) > 0


def test_ttml_without_times_has_none() -> None:
    text = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p>ANN: Why?</p><p>BO: Tariffs.</p></div></body></tt>'
    assert spoken_turns(read_text(text, "ttml")) == [("ANN", "Why?"), ("BO", "Tariffs.")]
    assert times(read_text(text, "ttml")) == [(None, None)] * 2


TRANSCRIBER = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE Trans SYSTEM "trans-14.dtd">
<Trans><Speakers><Speaker id="spk1" name="Ann Lee"/><Speaker id="spk2" name="Bo Dea"/></Speakers>
<Episode><Section type="report" startTime="0" endTime="9"><Turn speaker="spk1" startTime="0.5" endTime="5.5">
<Sync time="0.5"/>
why did margins
<Sync time="2.1"/>
fall <Event desc="laugh" type="noise"/>so far</Turn><Turn startTime="5.5" endTime="6"><Sync time="5.5"/></Turn>
<Turn speaker="spk1 spk2" startTime="6" endTime="7"><Sync time="6"/><Who nb="1"/>yes<Who nb="2"/>no</Turn>
<Turn speaker="spk2" startTime="7" endTime="9"><Sync time="7"/>tariffs</Turn></Section></Episode></Trans>
"""


def test_elan_reads_a_dependent_tier_if_the_tier_above_has_no_words() -> None:
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{at}" TIME_VALUE="{at * 500}"/>' for at in (1, 2))
    annotation = (
        '<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"><ANNOTATION_VALUE>{}'
        "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
    )
    text = (
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>"
        f'<TIER TIER_ID="A">{annotation.format("")}</TIER>'
        f'<TIER TIER_ID="B" PARENT_REF="A" PARTICIPANT="Ann">{annotation.format("Why?")}</TIER>'
        f'<TIER TIER_ID="C" PARENT_REF="B" PARTICIPANT="Ann">{annotation.format("Warum?")}</TIER>'
        "</ANNOTATION_DOCUMENT>"
    )
    assert spoken_turns(read_text(text, "elan")) == [("Ann", "Why?")]


def test_transcriber() -> None:
    transcript = read_text(TRANSCRIBER, "xml", "talk.trs")
    assert spoken_turns(transcript) == [
        ("Ann Lee", "why did margins fall so far"),
        (None, "yes no"),
        ("Bo Dea", "tariffs"),
    ]
    assert times(transcript) == [(0.5, 5.5), (6.0, 7.0), (7.0, 9.0)]
    assert transcript.turns[0].marks == ((0, 0.5), (16, 2.1))


TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>Plenary of May</title><listPerson>
<person xml:id="LeeA"><persName><forename>Ann</forename> <surname>Lee</surname></persName></person></listPerson>
</teiHeader><text><body>{}</body></text></TEI>"""


@pytest.mark.parametrize(
    ("body", "turns"),
    [
        (
            '<note type="speaker">Ms Lee:</note><u who="#LeeA"><seg>Why did <hi>m</hi>argins</seg><seg>fall?</seg>'
            '<note>Applause</note><vocal who="#Bo"><desc>laughs</desc></vocal></u><u who="#Bo">Tariffs.</u>',
            [("Ann Lee", "Why did margins fall?"), ("Bo", "Tariffs.")],
        ),
        (
            '<sp who="#lee"><speaker>LEE</speaker><stage>aside</stage><l>Why so</l><l>low?</l></sp>'
            "<sp><speaker>BO</speaker><p>Tariffs.</p></sp>",
            [("LEE", "Why so low?"), ("BO", "Tariffs.")],
        ),
    ],
)
def test_tei(body: str, turns: list[tuple[str, str]]) -> None:
    transcript = read_text(TEI.format(body), "xml", "talk.xml")
    assert spoken_turns(transcript) == turns
    assert transcript.details.title == "Plenary of May"


@pytest.mark.parametrize("name", ["talk.xml", "talk.txt", "talk.html"])
def test_turns_without_a_root(name: str) -> None:
    text = (
        '<turn speaker="Ann">Why?</turn>\n<turn speaker="Bo">Tariffs <turn speaker="Cy">no</turn>.</turn>\n'
    )
    assert spoken_turns(read_text(text, "xml", name)) == [("Ann", "Why?"), ("Bo", "Tariffs ."), ("Cy", "no")]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (
            '<Trans><Turn startTime="0">So.</Turn><Turn speaker="Ann"><Turn>Why?</Turn></Turn></Trans>',
            [(None, "So."), ("Ann", "Why?")],
        ),
        ('<text><u who="#ann">Why?</u><u>Rain.</u></text>', [("ann", "Why?"), (None, "Rain.")]),
        (
            "<text><sp><speaker>Ann</speaker><p>Why?</p></sp><sp><p>Rain.</p></sp></text>",
            [("Ann", "Why?"), (None, "Rain.")],
        ),
        ('<text><div><head>One</head><div who="Ann">Why?</div></div></text>', [("Ann", "Why?")]),
    ],
)
def test_turns_in_xml_without_a_speaker(text: str, turns: list[tuple[str | None, str]]) -> None:
    assert spoken_turns(read_text(text, "xml", "talk.xml")) == turns


def test_a_turn_that_does_not_end_is_named() -> None:
    with pytest.raises(FormatError, match="line 2: expected XML"):
        read_text('<turn speaker="Ann">Why?\n<turn speaker="Bo">Tariffs.', "xml", "talk.xml")


def test_turns_in_xml_whose_times_run_backwards() -> None:
    text = '<t><u who="1" start="5" end="9">why</u><u who="2" start="3" end="12">tariffs&#x85;fell</u></t>'
    transcript = read_text(text, "xml", "talk.xml")
    assert spoken_turns(transcript) == [("Speaker 1", "why"), ("Speaker 2", "tariffs fell")]
    assert times(transcript) == [(5.0, 9.0), (5.0, 12.0)]
    assert transcript.warnings == ("one time ran backwards, moved to the last one before",)


def test_chat() -> None:
    transcript = read_text(
        "@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tCHI Ross Target_Child, MOT Mother\n"
        "*MOT:\twhat is <that thing> [/] that thing ? \x15500_2000\x15\n%mor:\tpro|what\n"
        "*CHI:\t&-um a (be)cause doggie@f +...\n\t&=laughs big one . \x152500_3000\x15\n*MOT:\txxx .\n@End\n",
        "chat",
        "talk.cha",
    )
    assert spoken_turns(transcript) == [
        ("Mother", "what is that thing that thing?"),
        ("Ross", "um a because doggie… big one."),
    ]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]
    assert transcript.details.language == "en"


def test_hyperaudio() -> None:
    transcript = read_text(
        "<!DOCTYPE html><html><head><title>A talk</title></head><body><article><section><p>"
        '<span class="speaker" data-m="500" data-d="0">Ann Lee: </span><span data-m="500" data-d="500">Why </span>'
        '<span data-m="1000" data-d="1000">so?</span></p><p><span data-m="2500" data-d="0" class="speaker">[Bo] </span>'
        '<a data-m="2500" data-d="500">Tariffs.</a></p></section></article><p>About this page</p></body></html>',
        "hyperaudio",
        "talk.html",
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Why so?"), ("Bo", "Tariffs.")]
    assert times(transcript) == [(0.5, 2.0), (2.5, 3.0)]
    assert transcript.turns[0].marks == ((0, 0.5), (4, 1.0))


def test_hyperaudio_with_speakers_without_times() -> None:
    """Check that a speaker's label needs no time, and that other text without a time is not spoken."""
    words = '<span data-m="{0}00" data-d="30">so </span><span data-m="{0}50" data-d="300">it is.</span>'
    transcript = read_text(
        f'<article><p><span class="speaker" data-m="0" data-d="0">[Ann Lee] </span>{words.format(1)}</p>'
        f'<p><span class="speaker">Bo: </span>{words.format(30)}</p><p>{words.format(60)}<a>Top</a></p>'
        f'<p><span class="speaker"></span>{words.format(90)}</p></article>',
        "hyperaudio",
        "talk.html",
    )
    speakers = ["Ann Lee", "Bo", "Bo", None]
    assert spoken_turns(transcript) == [(speaker, "so it is.") for speaker in speakers]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Why did margins fall?,0.5,2.0\nTariffs.,2.5,3.0\n", [None]),
        ('0.5,2.0,"Why did margins fall?"\n2.5,3.0,"Tariffs."\n', [None]),
        (
            "0:00:00.5,0:00:02,Ann Lee,Why did margins fall?\n0:00:02.5,0:00:03,Bo,Tariffs indeed.\n",
            ["Ann Lee", "Bo"],
        ),
        ("Ann Lee\t0.5\t2.0\tWhy did margins fall?\nBo\t2.5\t3.0\tTariffs indeed.\n", ["Ann Lee", "Bo"]),
    ],
)
def test_tables_without_names_of_columns(text: str, speakers: list[str | None]) -> None:
    transcript = read_text(text, "table", "talk.csv")
    assert [turn.speaker for turn in transcript.turns] == speakers
    assert transcript.turns[0].start == 0.5 and transcript.turns[-1].end == 3.0


def test_a_name_below_a_time_and_above_words() -> None:
    transcript = read_text("0:00:01 Ann Lee\nGood day to you.\n\n0:00:04 Bob Ray\nHello to you.\n", "text")
    assert spoken_turns(transcript) == [("Ann Lee", "Good day to you."), ("Bob Ray", "Hello to you.")]
    assert transcript.turns[1].start == 4.0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.scc", "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420 94ae\n", "Scenarist closed captions"),
        ("a.idx", "# VobSub index file, v7\nsize: 720x576\n", "VobSub"),
        ("a.mpl", "[10][20]Why?\n[25][30]Tariffs.\n[40][50]Oh.\n", "MPL2"),
        ("a.trs", '<?xml version="1.0"?><Trans><Episode/></Trans>', "<trans>"),
        ("a.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n", "playlist"),
        ("a.stl", "850STL25.01" + " " * 1013, "EBU STL"),
        ("a.mcc", "File Format=MacCaption_MCC V1.0\n\n00:00:01:00\tT52S524F67\n", "MacCaption"),
        ("a.txt", "{QTtext} {font:Tahoma}\n{plain}\n[00:00:01.00]\nWhy?\n", "QuickTime text"),
        ("a.stl", "//Font\n\n$FontName = Arial\n\n00:00:01:00 , 00:00:03:00 , Why?\n", "Spruce"),
        ("a.txt", "@ This file written with the Avid Caption plugin, version 1\n\nWhy?\n", "Avid DS"),
        ("a.jss", "#TITLE Ann\n#TIMERES 30\n0:00:01.00 0:00:03.00 D Why?\n", "JACOsub"),
        ("a.jss", "# of Ann\n\n0:00:01.00 0:00:03.00 D Why?\n", "JACOsub"),
        ("a.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n", "iCalendar"),
    ],
)
def test_what_is_not_read_is_refused_by_its_name(name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(name, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "0:00:01.00 0:00:03.00 Dear me, why?\n0:00:03.00 0:00:04.00 Tariffs.\n",
        "# Tariffs\n\nAnn: BEGIN:VCALENDAR is the first line, then {QTtext}.\n\nBo: Oh.\n",
        "// A note\n\n$5 = a tariff.\n",
    ],
)
def test_what_looks_a_little_like_another_format_is_read(text: str) -> None:
    assert read("talk.txt", text.encode())


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?><!DOCTYPE tt [<!ENTITY a "b">]><tt><body><p begin="1s">&a;</p></body></tt>',
        "<tt><body><p>Why?</body></tt>",
        "<tt>" + "<div>" * 5000 + "</div>" * 5000 + "</tt>",
        '<tt><body><p begin="soon">Why?</p></body></tt>',
        "<timedtext><body><p t='soon'>Why?</p></body></timedtext>",
    ],
)
def test_hostile_and_broken_xml_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read("talk.xml", text.encode())


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "expected", "speakers"),
    [
        ("apple_lyrics.ttml", "ttml", {"Radiohead"}),
        ("pysubs_ttml.ttml", "ttml", {None}),
        ("pbs.sami", "sami", None),
        ("youtube.srv3.xml", "timedtext", {None}),
        ("chat.cha", "chat", {"Child", "Mother"}),
        ("hyperaudio_demo.html", "hyperaudio", None),
        ("wts_bonjour.wav.csv", "table", {None}),
        ("tldv.txt", "text", {"Ann Lee", "Bob Ray"}),
        ("aws_call.docx", "docx", {"Agent", "Customer"}),
    ],
)
def test_originals(data: Path, name: str, expected: str, speakers: set[str | None] | None) -> None:
    transcript: Transcript
    (transcript,) = read(name, (data / "formats_more" / "vendors" / name).read_bytes())
    assert transcript.format == expected
    assert transcript.turns[0].start is not None
    assert speakers is None or {turn.speaker for turn in transcript.turns} == speakers


def test_captions_of_sami_without_times_are_refused() -> None:
    with pytest.raises(FormatError, match="no words"):
        read("talk.smi", b"<SAMI><BODY><P>Hello.</BODY></SAMI>")
    with pytest.raises(FormatError, match="no words"):
        read("talk.smi", b"<SAMI><BODY><SYNC Start=1>Hello.</BODY></SAMI>")
