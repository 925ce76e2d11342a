"""Tests of a recording's details: sidecar files, ``--set``, front matter and file names."""

import time
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.errors import FormatError, InputError, OnRecordError
from onrecord.ingest.details import (
    guess_from_name,
    is_details,
    language,
    parse_set,
    read_sidecar,
    split_front_matter,
)
from onrecord.types import Details, one_line

# ---------------------------------------------------------------- sidecars


@pytest.mark.parametrize(
    "people",
    [
        "{SPEAKER_00: Ann Lee, SPEAKER_01: Bo Dea}",
        "[{name: Ann Lee, label: SPEAKER_00}, {name: Bo Dea, label: SPEAKER_01}]",
        '["Ann Lee (SPEAKER_00)", "Bo Dea (SPEAKER_01)"]',
    ],
)
@pytest.mark.parametrize("name", ["people", "speakers", "guests"])
def test_details_name_the_speakers_of_labels(name: str, people: str) -> None:
    named = Details(people=("Ann Lee (SPEAKER_00)", "Bo Dea (SPEAKER_01)"))
    assert read_sidecar("talk.yaml", f"{name}: {people}").people == named.people
    details, _ = split_front_matter(f"---\n{name}: {people}\n---\nSo it is.\n")
    assert details.people == named.people


def test_yaml_values_stay_the_texts_that_were_written() -> None:
    text = """
    title: Night Desk, live   # a comment
    date: 2024-03-05
    language: no
    people: [Ann Lee, "Kelly, Brendan"]
    link: https://example.com/watch?v=1
    media: talk.mp3
    Episode: 007
    on air: true
    tags: [rates, "1.10"]
    nothing:
    """
    assert read_sidecar("talk.yaml", text) == Details(
        title="Night Desk, live",
        date="2024-03-05",
        language="no",
        people=("Ann Lee", "Kelly, Brendan"),
        link="https://example.com/watch?v=1",
        media="talk.mp3",
        attributes={"episode": "007", "on air": "true", "tags": "rates; 1.10"},
    )


def test_json_says_the_same() -> None:
    """Check that a JSON sidecar gives details, with numbers, booleans and roles as text."""
    text = '{"title": "Live", "people": [{"name": "Ann Lee", "role": "host"}], "episode": 7, "live": true}'
    assert read_sidecar("talk.json", text) == Details(
        title="Live", people=("Ann Lee",), attributes={"episode": "7", "live": "true", "host": "Ann Lee"}
    )


def test_people_have_roles_however_the_name_is_written() -> None:
    details = read_sidecar("talk.yaml", "People: [{name: Ann Lee, role: Host}, {name: Bo Ek, role: host}]")
    assert (details.people, details.attributes) == (("Ann Lee", "Bo Ek"), {"host": "Ann Lee; Bo Ek"})


@pytest.mark.parametrize("name", ["people", "speakers", "guests", "co-hosts"])
def test_list_of_people_with_roles_gives_roles(name: str) -> None:
    block = f"{name}:\n  - name: Rita Owens\n    role: host\n  - name: Lou Marsh\n"
    details, _ = split_front_matter(f"---\ntitle: Trains\n{block}---\nSo it is.\n")
    for found in (details, read_sidecar("a.yaml", block)):
        assert found.people == ("Rita Owens", "Lou Marsh")
        assert found.attributes["host"] == "Rita Owens"


@pytest.mark.parametrize("name", ["Co-host", "cohost", "co host", "guest speaker", "Guest-Hosts"])
def test_combined_roles_list_people(name: str) -> None:
    found = read_sidecar("a.yaml", f"Host: Ann Webb\n{name}: Zed Alder")
    assert found.people == ("Ann Webb", "Zed Alder")
    assert found.attributes == {"host": "Ann Webb", name.lower(): "Zed Alder"}


@pytest.mark.parametrize("name", ["podcast host", "number of speakers", "company", "host name"])
def test_other_names_list_no_people(name: str) -> None:
    assert read_sidecar("a.yaml", f"{name}: Zed Alder").people == ()


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Bo Trask and Cy Dole", ("Bo Trask", "Cy Dole")),
        ("Bo Trask & Élodie D'Arc-Noir", ("Bo Trask", "Élodie D'Arc-Noir")),
        ("Bo Trask and Cy Dole; Ann Lee", ("Bo Trask", "Cy Dole", "Ann Lee")),
        ("Simon and Garfunkel", ("Simon and Garfunkel",)),
        ("Ann Lee, Institute of Arts and Letters", ("Ann Lee, Institute of Arts and Letters",)),
        ("Bo Trask and friends", ("Bo Trask and friends",)),
    ],
)
@pytest.mark.parametrize("name", ["guest", "people"])
def test_two_full_names_in_one_text_are_two_people(name: str, text: str, people: tuple[str, ...]) -> None:
    found = read_sidecar("a.yaml", f'{name}: "{text}"')
    assert found.people == people
    if name == "guest":
        assert found.attributes == {"guest": "; ".join(people)}


def test_people_in_one_text() -> None:
    assert read_sidecar("a.yaml", "people: Ann Lee; Bo Díaz | Ann Lee").people == ("Ann Lee", "Bo Díaz")


@pytest.mark.parametrize("text", ["", "# nothing but a remark\n", "title:\ndate: ~\n", "{}"])
def test_a_sidecar_may_say_nothing(text: str) -> None:
    assert read_sidecar("a.yaml", text) == Details()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n- b", "a.yaml, line 1: expected names and values (title: ...), found a list"),
        ("title: {a: b}", "a.yaml, title: expected a text, or a list of texts, found a mapping"),
        ("title: [a, b]", "a.yaml, title: expected one text, found 2: a, b"),
        ("date: soon", "a.yaml, date: expected a date such as 2024-03-05, 2024-03, 2024 or 5 March 2024, "),
        ("date: 03/04/2024", "write 2024-04-03 or 2024-03-04, found 03/04/2024"),
        (
            "language: 1234",
            "a.yaml, language: expected a language code such as en, fr or pt-BR, found 1234",
        ),
        ("link: javascript:alert(1)", "a.yaml, link: expected an address that begins with https://"),
        (
            "media: /etc/passwd",
            "a.yaml, media: expected an https:// address, or the path of an audio or video",
        ),
        ("media: file:///a.mp3", "a.yaml, media: expected an https:// address"),
        ("title: Part 2: The return", "line 1, column 14: expected YAML (a text that holds"),
        ("title: a\ntitle: b", "a.yaml, line 2, column 1: expected each name once, found 'title' again"),
        ("title: a\nTitle: b", "a.yaml, 'Title': expected each name once"),
        ("? [a]\n: b", "a.yaml, line 1, column 3: expected a name before the colon, found a list"),
        (
            "a: &x [1]\nb: *x",
            "a.yaml, line 2, column 4: expected a value without aliases, found an alias (*)",
        ),
        (
            "title: a\n---\ntitle: b",
            "a.yaml, line 2, column 1: expected one document, found another document",
        ),
        ("title: [a", "a.yaml, line 1"),
        ("title: \x07", "a.yaml, line 1: expected printable characters"),
        ("a: " + "[" * 9 + "]" * 9, "expected nesting at most 8 deep"),
        ("a: " + "x" * 70_000, "a.yaml, size: expected at most 65,536 characters, found 70,003"),
    ],
)
def test_a_broken_sidecar_says_where_and_why(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_sidecar("a.yaml", text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"title": "a"', "a.json, line 1, column 14: expected JSON"),
        ('{"title": "a", "title": "b"}', "a.json, 'title': expected each name once"),
        ('{"a": ' + "[" * 5_000, "a.json, line 1: expected nesting at most 8 deep"),
        ('{"a": ' + "[" * 9 + "]" * 9 + "}", "a.json, line 1: expected nesting at most 8 deep"),
    ],
)
def test_a_broken_json_sidecar(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_sidecar("a.json", text)
    assert message in str(caught.value)


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
    )
    began = time.process_time()
    with pytest.raises(FormatError, match="an alias"):
        read_sidecar("a.yaml", bomb)
    assert time.process_time() - began < 1


def test_tags_construct_nothing() -> None:
    assert read_sidecar("a.yaml", "title: !!python/object/apply:os.getcwd []") == Details()
    assert read_sidecar("a.yaml", "title: !!int 7").title == "7"


def test_details_are_distinguished_from_transcripts_by_content() -> None:
    assert is_details({"title": "a", "people": [{"name": "Ann"}], "tags": ["x"], "date": None})
    assert not is_details({"segments": [{"text": "hello"}], "language": "en"})
    assert not is_details({"segments": [], "text": ""})
    assert not is_details({})
    assert not is_details(["a"])


# ---------------------------------------------------------------- values


def test_what_steers_a_terminal_is_taken_out() -> None:
    assert one_line("Night\x1b[31m\nDesk\u202e \ud800!") == "Night[31m Desk \ufffd!"


@pytest.mark.parametrize(
    ("written", "code"), [("EN", "en"), ("pt_br", "pt"), ("zh-Hant-TW", "zh"), ("French", "fr")]
)
def test_languages(written: str, code: str) -> None:
    assert language(written) == code


@pytest.mark.parametrize("written", ["Elvish tongue", "e", "en-", "en us", "12"])
def test_other_languages_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="pt-BR"):
        language(written)


# ---------------------------------------------------------------- --set


def test_set_takes_known_names_and_any_other() -> None:
    pairs = ["show=Night Desk", "date=March 5, 2024", "people=Ann Lee; Bo", "People=Cy", "a=b=c"]
    assert parse_set(pairs) == Details(
        date="2024-03-05", people=("Ann Lee", "Bo", "Cy"), attributes={"show": "Night Desk", "a": "b=c"}
    )
    assert parse_set([]) == Details()


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("show", "--set needs NAME=VALUE, such as --set show=\"Night Desk\"; not 'show'"),
        ("=x", "NAME=VALUE"),
        ("title= ", "NAME=VALUE"),
        ("date=03/04/2024", "--set date=03/04/2024: expected a date with only one reading: write 2024-04-03"),
        ("link=ftp://x", "--set link=ftp://x: expected an address that begins with https://"),
    ],
)
def test_a_bad_set_says_how_to_write_it(pair: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_set([pair])
    assert message in str(caught.value)


def test_a_name_set_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        parse_set(["title=a", "title=b"])


# ---------------------------------------------------------------- front matter


def test_front_matter_is_taken_off_and_lines_keep_their_numbers() -> None:
    text = "---\ntitle: Night Desk\nshow: x\n---\n\nAnn: Hello.\n"
    details, rest = split_front_matter(text)
    assert details == Details(title="Night Desk", attributes={"show": "x"})
    assert rest == "\n\n\n\n\nAnn: Hello.\n"


def test_front_matter_with_other_line_ends_and_a_byte_order_mark() -> None:
    details, rest = split_front_matter("\ufeff---\r\ntitle: a\r\n---\r\nAnn: Hi\r\n")
    assert details.title == "a"
    assert rest == "\n\n\nAnn: Hi\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann: Hello.",
        "---\n\nAnn: after a rule\n\n---\n",
        "---\n**Ann:** Hi\n---\n",
        "--- \nno colon here\n---\n",
        "---\nAnn: never closed\n",
        "\n---\ntitle: not on the first line\n---\n",
    ],
)
def test_what_is_no_front_matter_stays_as_it_is(text: str) -> None:
    assert split_front_matter(text) == (Details(), text)


def test_what_a_site_nests_in_front_matter_is_left_out() -> None:
    text = "---\ntitle: a\npodcast:\n  mp3: a.mp3\nlinks:\n  - url: b\nmood: calm\n---\nAnn: Hi\n"
    details, rest = split_front_matter(text)
    assert (details.title, details.attributes) == ("a", {"mood": "calm"})
    assert rest.lstrip("\n") == "Ann: Hi\n"


def test_front_matter_that_breaks_names_its_line_in_the_file() -> None:
    with pytest.raises(FormatError, match=r"talk.md, line 3, column 5: expected YAML"):
        split_front_matter("---\ntitle: a\nb: c: d\n---\nAnn: Hi\n", "talk.md")
    with pytest.raises(FormatError, match=r"talk.md, line 1: expected a line --- that ends"):
        split_front_matter("---\ntitle: a\n\nAnn: Hi\n", "talk.md")


# ---------------------------------------------------------------- file names


@pytest.mark.parametrize(
    ("file", "title", "date"),
    [
        ("2024-03-05_night-desk_ep-12.en.vtt", "Night desk ep 12", "2024-03-05"),
        ("20240305 board meeting.srt", "Board meeting", "2024-03-05"),
        ("2024-03-05.vtt", None, "2024-03-05"),
        ("2024-13-05 x.vtt", "2024 13 05 x", None),
        ("Q&A - part 2.srt", "Q&A - part 2", None),
        ("4320211.nlp", "4320211", None),
        ("a\x1b[31mb.vtt", "A[31mb", None),
    ],
)
def test_what_a_file_name_tells(file: str, title: str | None, date: str | None) -> None:
    assert guess_from_name(file) == Details(title=title, date=date)


# ---------------------------------------------------------------- properties

TEXTS = st.none() | st.text(max_size=5)
DETAILS = st.builds(
    Details,
    title=TEXTS,
    date=TEXTS,
    language=TEXTS,
    people=st.lists(st.text(min_size=1, max_size=3), max_size=2).map(tuple),
    link=TEXTS,
    media=TEXTS,
    attributes=st.dictionaries(st.sampled_from("abc"), st.text(max_size=3), max_size=3),
)


@given(st.lists(DETAILS, min_size=1, max_size=7))
def test_the_first_that_says_something_wins(layers: list[Details]) -> None:
    merged = reduce(Details.over, layers)
    for name in ("title", "date", "language", "people", "link", "media"):
        values = [getattr(layer, name) for layer in layers if getattr(layer, name)]
        assert getattr(merged, name) == (values[0] if values else getattr(layers[-1], name))
    for name in "abc":
        values = [layer.attributes[name] for layer in layers if name in layer.attributes]
        assert merged.attributes.get(name) == (values[0] if values else None)


@given(DETAILS, DETAILS, DETAILS)
def test_merging_is_associative(a: Details, b: Details, c: Details) -> None:
    assert a.over(b).over(c) == a.over(b.over(c))


@settings(deadline=None)  # the first example takes longer: it imports yaml
@given(st.text() | st.from_regex(r"(title|date|people|[a-z]): ?[\[\]{}&*!|>'\"a-z0-9:, \n-]{0,30}"))
def test_any_text_as_yaml_is_details_or_an_error(text: str) -> None:
    try:
        assert isinstance(read_sidecar("x.yaml", text), Details)
    except OnRecordError as error:
        assert str(error).startswith("x.yaml, ")


@settings(deadline=None)
@given(st.text())
def test_any_text_has_front_matter_or_not(text: str) -> None:
    for candidate in (text, f"---\nk: {text}\n---\n{text}"):
        try:
            _, rest = split_front_matter(candidate, "x.md")
        except OnRecordError:
            continue
        plain = candidate.replace("\r\n", "\n")
        assert plain.endswith(rest.lstrip("\n"))
        assert rest.count("\n") == plain.count("\n")


def test_who_takes_part_is_read_from_many_names() -> None:
    """Check that names such as host, guest and speakers all list people, unless ``people`` is given."""
    details = read_sidecar("a.yaml", "host: Ann Lee\nspeakers: [Bo Díaz, Cy Ng]\nguest: Bo Díaz")
    assert details.people == ("Ann Lee", "Bo Díaz", "Cy Ng")
    assert details.attributes["guest"] == "Bo Díaz"
    assert read_sidecar("a.yaml", "people: Di Fox\nguest: Bo Díaz").people == ("Di Fox",)
    assert parse_set(["guest=Bo Díaz; Cy Ng"]).people == ("Bo Díaz", "Cy Ng")


def test_two_people_of_one_role_both_have_it() -> None:
    """Two full names with "and" between them each have the role."""
    text = "guest:\n  - {name: Ann Lee and Bo Diaz, role: mayor}\n"
    details = read_sidecar("talk.yaml", text)
    assert details.people == ("Ann Lee", "Bo Diaz") and details.attributes["mayor"] == "Ann Lee; Bo Diaz"
