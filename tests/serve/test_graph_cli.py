"""The output and the errors of `onrecord graph`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import onrecord
from onrecord.graph.results import Point, Timeline
from onrecord.serve.cli import main
from onrecord.serve.graph_chart import draw_figure
from onrecord.types import Entity

EXAMPLES = Path(onrecord.__file__).parent / "examples"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Return the path of an archive with the examples."""
    path = tmp_path_factory.mktemp("graph") / "talks.db"
    with onrecord.open(path, embedding={"model": "hashing"}) as archive:
        archive.add(EXAMPLES)
    return str(path)


def run_graph(archive, *words):
    """Run `onrecord graph` and return its exit code, standard output and standard error."""
    result = CliRunner().invoke(main, ["graph", *words, "--archive", archive])
    return result.exit_code, result.stdout, result.stderr


def test_about_tells_who_where_and_with_what(archive):
    code, out, err = run_graph(archive, "about", "Kelly")
    assert code == 0
    assert out.startswith("Brendan Kelly (person)")
    assert "'Kelly' is read as 'Brendan Kelly'" in err
    assert "The Night Desk 41" in out
    assert "https://www.youtube.com/watch?v=EXAMPLE0041&t=" in out


def test_a_name_in_place_of_a_command_is_answered_with_the_command():
    for words in (["Ingrid Solheim"], ["Ingrid", "Solheim", "--limit", "3"]):
        result = CliRunner().invoke(main, ["graph", *words])
        assert result.exit_code == 2 and "onrecord graph about 'Ingrid Solheim'" in result.output
    assert "Did you mean 'about'" in CliRunner().invoke(main, ["graph", "abot", "ferry"]).output


def test_every_step_of_a_path_has_a_quote_with_second_and_link(archive):
    code, out, _ = run_graph(archive, "between", "Halden", "Kaohsiung", "--json")
    output = json.loads(out)
    assert code == 0
    assert output["paths"]
    for step in (step for path in output["paths"] for step in path["steps"]):
        assert step["quotes"][0]["text"]
        assert step["quotes"][0]["start"] is not None
        assert step["quotes"][0]["link"].startswith("https://")


def test_common_ground_has_the_words_of_both(archive):
    output = json.loads(run_graph(archive, "common", "Kelly", "Raman", "--json")[1])
    (tariff,) = [topic for topic in output["shared"] if topic["entity"]["key"] == "tariff"]
    assert [quotes[0]["speaker"] for quotes in tariff["quotes"]] == ["Brendan Kelly", "Priya Raman"]
    own = [{topic["entity"]["key"] for topic in topics} for topics in output["only"]]
    assert "halden" in own[0]
    assert not own[0] & own[1]


def test_a_timeline_counts_passages_by_speaker(archive, tmp_path):
    picture = tmp_path / "tariff.svg"
    code, out, _ = run_graph(archive, "timeline", "tariffs", "--json", "--plot", str(picture))
    (point,) = json.loads(out)["points"]
    assert code == 0
    assert point["period"] == "2024-11"
    voices = json.loads(run_graph(archive, "about", "tariffs", "--json")[1])["voices"]
    assert point["speakers"] == {voice["speaker"]: voice["passages"] for voice in voices}
    assert (
        sum(point["speakers"].values()) == 10 and point["passages"] == 8
    )  # two speakers name it in 2 of the passages
    assert "<svg" in picture.read_text()


def test_concepts_are_of_so_many_recordings(archive):
    output = json.loads(run_graph(archive, "concepts", "--across", "3", "--json")[1])
    assert output[0]["entity"]["key"] == "tariff"
    assert all(each["entity"]["recordings"] >= 3 for each in output)
    assert all(each["quotes"] for each in output)


def test_a_name_that_nobody_speaks_of_gets_the_nearest(archive):
    code, _, err = run_graph(archive, "about", "Kelley")
    assert code == 0
    assert "read as 'Brendan Kelly'" in err
    code, out, err = run_graph(archive, "about", "Kehling", "--json")
    assert code == 1
    assert json.loads(out)["error"]["code"] == "not_found_error"
    assert "nobody speaks of 'Kehling'" in err


def test_the_same_twice_and_names_without_words_are_refused(archive):
    """Two names of the same entity, an empty name and a single name for `common` are refused."""
    assert run_graph(archive, "between", "Kelly", "Brendan Kelly")[0] == 1
    assert "are the same" in run_graph(archive, "between", "Kelly", "Brendan Kelly")[2]
    assert run_graph(archive, "about", " ")[0] == 1
    assert run_graph(archive, "common", "Kelly")[0] == 1


def test_names_are_made_one_and_two_again(archive):
    """Names can be merged, split and given aliases."""
    assert "name" in run_graph(archive, "about", "Halden")[1].splitlines()[0]
    assert run_graph(archive, "merge", "Halden", "Halden Cycles", "--reason", "the firm")[0] == 0
    assert run_graph(archive, "about", "Halden")[1].startswith("Halden Cycles")
    assert "the firm" in run_graph(archive, "alias", "Halden Cycles")[1]
    assert run_graph(archive, "split", "Halden", "Halden Cycles")[0] == 0
    assert run_graph(archive, "about", "Halden")[1].startswith("Halden (name)")
    assert run_graph(archive, "split", "Halden", "Halden Cycles")[0] == 1
    assert run_graph(archive, "alias", "HC", "--of", "Halden Cycles")[0] == 0
    assert run_graph(archive, "about", "HC")[1].startswith("Halden Cycles")


def test_what_is_built_already_is_not_built_again(archive):
    assert "it is all there" in run_graph(archive, "build")[1]
    assert json.loads(run_graph(archive, "build", "--again", "--json")[1]) == {"read": 5}


def test_what_is_changed_by_hand_is_reported_in_the_words_that_were_typed(archive):
    merged = run_graph(archive, "merge", "Halden", "Halden Cycles", "--reason", "the firm")
    assert merged[:2] == (0, "'Halden' is read as 'Halden Cycles'  (the firm)\n")
    parted = run_graph(archive, "split", "Halden", "Halden Cycles", "--reason", "the founder")
    assert parted[:2] == (0, "'Halden' is no longer read as 'Halden Cycles'  (the founder)\n")


def test_a_quote_of_both_is_printed_once(archive):
    """A passage that belongs to both names is quoted only once for a topic."""
    code, out, err = run_graph(archive, "common", "Kelly", "tariff")
    assert code == 0 and "tariff: speaks nowhere" in err
    topics = [[line for line in part.splitlines() if "“" in line] for part in out.split("\n\n")]
    assert any(topics) and all(len(set(quotes)) == len(quotes) for quotes in topics)


def test_what_only_one_speaks_of_is_quoted(archive):
    """Each topic of one person alone has a quote of this person below it, and a quote is printed once."""
    _, out, _ = run_graph(archive, "common", "Kelly", "Raman")
    (part,) = [part for part in out.split("\n\n") if part.startswith("only Brendan Kelly\n")]
    topic, quote, place = part.splitlines()[1:4]
    assert topic.strip() and "“" in quote and place.strip().startswith("Brendan Kelly")
    quotes = [line for line in part.splitlines() if "“" in line]
    assert quotes and len(set(quotes)) == len(quotes)


def test_an_archive_without_concepts_says_so(tmp_path):
    path = str(tmp_path / "one.db")
    (tmp_path / "talk.md").write_text("Ann Lee: It rains.\n")
    with onrecord.open(path, embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "talk.md")
    assert run_graph(path, "concepts") == (0, "", "no concept is spoken of in so many recordings\n")


def test_a_reason_that_is_too_long_is_called_a_reason(archive):
    code, _, err = run_graph(archive, "merge", "Halden", "Halden Cycles", "--reason", "why " * 200)
    assert code == 1 and "a reason has words and at most 500 characters" in err
    assert run_graph(archive, "merge", "Halden", "Halden Cycles", "--reason", "why " * 100)[0] == 0
    assert run_graph(archive, "split", "Halden", "Halden Cycles")[0] == 0


def test_bars_are_as_high_as_there_are_passages_and_not_behind_the_legend():
    """The bars of a chart add up to the number of passages, and the legend is outside the axes."""
    point = Point("2024-05", 8, {"Ann Lee": 6, "Bo Lund": 3})  # both speakers are in one of the 8 passages
    figure = draw_figure(Timeline(Entity("ferry", "ferry", "concept", 8, 1), (point,)))
    (axes,) = figure.axes
    assert sum(bar.get_height() for bars in axes.containers for bar in bars) == pytest.approx(8)
    assert axes.get_legend() is None and len(figure.legends) == 1
