"""Tests of the reader of HTML: Podcasting 2.0 transcripts and web pages."""

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript


def html(text: str) -> Transcript:
    return read_text(text, "html")


def test_podcasting_2() -> None:
    transcript = html(
        "<cite>Ann:</cite>\n<time>0:00</time>\n<p>It&#39;s a &quot;talk&quot; .</p>\n<p>More.</p>\n"
        "<cite>Bo</cite>\n<time>0:53</time>\n<p>Yes.</p>\n<cite>Ann:</cite>\n<time>1:02:03</time>\n"
        "<p>So.</p>\n"
    )
    assert spoken_turns(transcript) == [("Ann", 'It\'s a "talk" . More.'), ("Bo", "Yes."), ("Ann", "So.")]
    assert times(transcript) == [(0.0, 53.0), (53.0, 3723.0), (3723.0, None)]
    assert transcript.warnings == ()


def test_a_page_without_its_beginning_is_still_a_page() -> None:
    part = '">people </span></p>\n<p><b>Adrian:</b> Security and privacy.</p>\n<p><b>Bo:</b> They are.</p>'
    (found,) = read("talk.html", f"{part}\n{part}".encode())
    assert found.format == "html"
    assert {speaker for speaker, _ in spoken_turns(found)} <= {None, "Adrian", "Bo"}
    assert not any("<" in text for _, text in spoken_turns(found))


def test_name_and_time_within_the_paragraph() -> None:
    transcript = html(
        "<p><cite>Ann:</cite> <time>0:10</time> Hello.</p><p><time>0:20</time><cite>Bo</cite> Hi.</p>"
    )
    assert spoken_turns(transcript) == [("Ann", "Hello."), ("Bo", "Hi.")]
    assert times(transcript) == [(10.0, 20.0), (20.0, None)]


def test_a_page_without_what_is_no_text() -> None:
    transcript = html(
        '<!DOCTYPE html>\n<html lang="en-GB"><head><title>Night &amp; day</title>'
        '<style>p { color: red }</style><script>var a = "<p>no</p>";</script></head><body>'
        "<nav><a href='/'>Home</a></nav><!-- <p>hidden</p> -->"
        "<h2>Opening</h2><p><strong>Ann Lee:</strong> Hello,<br>all <em>of</em> you.</p><p>It is 3 < 4.</p>"
        "<h2>End</h2><p><b>Bo</b>: Bye <cite>A Book</cite>.</p>"
        "<ul><li>one</li><li>two</li></ul>"
        "<svg><text>no</text></svg><footer>(c)</footer></body></html>"
    )
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Hello, all of you. It is 3 < 4."),
        ("Bo", "Bye A Book. one two"),
    ]
    assert (transcript.details.title, transcript.details.language) == ("Night & day", "en")
    assert [(s.title, s.first, s.last) for s in transcript.sections] == [("Opening", 0, 0), ("End", 1, 1)]


def test_speakers_and_times_by_their_class() -> None:
    transcript = html(
        '<div class="row"><span class="transcript-speaker big">Ann</span> <span '
        'class="time">(00:10)</span></div>'
        '<div class="words">Hello.</div>'
        '<div class="row"><span class="speaker_name">Bo</span> <span class="time">(00:20)</span></div>'
        '<div class="words">Hi.</div>'
    )
    assert spoken_turns(transcript) == [("Ann", "Hello."), ("Bo", "Hi.")]
    assert times(transcript) == [(10.0, 20.0), (20.0, None)]


def test_a_class_of_whole_paragraphs_makes_no_names() -> None:
    long = "so it went on and on and on and on and on and on and on and on"
    assert spoken_turns(html(f'<p class="speaker">{long}</p>')) == [(None, long)]


@pytest.mark.parametrize("tag", ["a", "button", "span", "small", "time"])
def test_times_that_can_be_clicked(tag: str) -> None:
    transcript = html(
        f"<p><{tag} class='x'>0:10</{tag}> Hello <a href='/x'>over there</a>. <{tag}> 0:20\n</{tag}>More.</p>"
        f"<p><button>Share</button><{tag}>0:30</{tag}> Bye.</p>"
    )
    assert spoken_turns(transcript) == [(None, "Hello over there. More."), (None, "Bye.")]
    assert transcript.turns[0].marks == ((0, 10.0), (18, 20.0))
    assert times(transcript) == [(10.0, 30.0), (30.0, None)]


def test_lists_of_terms() -> None:
    assert spoken_turns(html("<dl><dt>Ann</dt><dd>Hello.</dd><dt>Bo</dt><dd>Hi.</dd></dl>")) == [
        ("Ann", "Hello."),
        ("Bo", "Hi."),
    ]


def test_paragraphs_without_speakers() -> None:
    assert spoken_turns(html("<p>One<br>line.</p><p>Another.</p>")) == [
        (None, "One line."),
        (None, "Another."),
    ]


@pytest.mark.parametrize("tail", ["<script>var x", "<style>p", "<!-- <p>x</p>", "<p", "</"])
def test_what_is_not_closed_swallows_no_words_before_it(tail: str) -> None:
    transcript = html(f"<p>One.</p>{tail}")
    assert spoken_turns(transcript)[0] == (None, "One.")


def test_an_unclosed_aside_hides_nothing() -> None:
    assert spoken_turns(html("<p>One.</p><nav><p>Two.</p>")) == [(None, "One."), (None, "Two.")]


def test_a_page_without_words_is_refused() -> None:
    with pytest.raises(FormatError, match="expected a transcript with words, found no words"):
        read("talk.html", b"<html><head><title>x</title></head><body><script>1</script></body></html>")


def test_attributes_name_who_speaks() -> None:
    transcript = html(
        '<h1>Call</h1><p>Recorded in May.</p><div data-speaker="Ann Lee" data-start="12.5">'
        "<p>Welcome back.</p><p>It is May: so be it.</p></div><p>Music.</p>"
        '<div data-speaker="Bo O&#39;Neil" data-start="0:15"><span class="speaker">Bo</span>'
        '<div>Thanks: a lot.</div></div><p><span data-speaker="Ann Lee">What</span>'
        ' <span data-speaker="Ann Lee">now?</span> <span data-speaker="Cy">Nothing.</span></p>'
        '<p data-speaker="Cy">Unclosed.<p>Other.'
    )
    assert spoken_turns(transcript) == [
        (None, "Recorded in May."),
        ("Ann Lee", "Welcome back."),
        ("Ann Lee", "It is May: so be it."),
        (None, "Music."),
        ("Bo O'Neil", "Thanks: a lot."),
        ("Ann Lee", "What now?"),
        ("Cy", "Nothing."),
        ("Cy", "Unclosed."),
        (None, "Other."),
    ]
    assert [turn.start for turn in transcript.turns][1] == 12.5


def test_a_time_may_count_frames() -> None:
    transcript = html('<div data-speaker="Ann Lee" data-start="00;01;02;03"><p>Welcome back.</p></div>')
    assert [(turn.speaker, turn.start) for turn in transcript.turns] == [("Ann Lee", 62.0)]


def test_a_name_that_readers_see_goes_ahead_of_a_code() -> None:
    transcript = html(
        "<p data-speaker='1'><span class='speaker'>Ann Lee</span> Why?</p>"
        '<p data-speaker="Bo O\'Neil">So.</p><p data-speaker="1">No.</p>'
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Why?"), ("Bo O'Neil", "So."), ("Speaker 1", "No.")]
