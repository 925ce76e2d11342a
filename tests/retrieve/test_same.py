"""Texts that say the same, and texts that only resemble each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.diversity.same import adds

REVENUE = "Revenue was {} million dollars in the second quarter, and we are pleased with that."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (REVENUE.format(137), REVENUE.format(174)),
        ("The margin was -5 percent.", "The margin was 5 percent."),
        ("The margin was +5 percent.", "The margin was -5 percent."),
        ("The margin was \u22125 percent.", "The margin was 5 percent."),
        ("The result was -$7m in the year.", "The result was $7m in the year."),
        ("The margin was (7) percent.", "The margin was 7 percent."),
        ("The margin was minus 5 percent.", "The margin was 5 percent."),
        ("Il fait moins 5 degrés au port.", "Il fait 5 degrés au port."),
        ("The share was <7 percent.", "The share was >7 percent."),
        ("The share was ≥7 percent.", "The share was 7 percent."),
        ("The share was 7 %.", "The share was 7 ‰."),
        ("We didn't say that we should sell the yard.", "We said that we should not sell the yard."),
        ("We didn't say that we sell the yard.", "We said that we don't sell the yard."),
        ("Only Ann voted for the harbour.", "Ann voted for the harbour."),
        ("All barges came in May.", "Some barges came in May."),
        ("The yard might close in the spring.", "The yard will close in the spring."),
        ("No vendemos el barco.", "Vendemos el barco."),
        ("Non vendiamo la barca.", "Vendiamo la barca."),
        ("Não vendemos o barco.", "Vendemos o barco."),
        ("Wir verkaufen das Boot nicht.", "Wir verkaufen das Boot."),
        ("Kelly moved to Paris.", "Kelly moved from Paris."),
        ("Yes.", "No."),
        ("Before the merger, costs fell 5 percent.", "After the merger, costs fell 5 percent."),
        ("Revenue rose 20 million in March.", "Revenue rose to 20 million in March."),
        ("Then Williams joined the board in May.", "Then William joined the board in May."),
        ("Williams joined the board in May.", "William joined the board in May."),
        ("Did revenue fall 5 percent?", "Revenue did fall 5 percent."),
        ("We grew 5.", "We grew 5 percent."),
        ("Version 2.10 is out.", "Version 2.1 is out."),
        ("We deliver within five business days.", "We deliver within five calendar days."),
        ("We deliver within five business days.", "We deliver within five days."),
        ("The fine was 300 Canadian dollars.", "The fine was 300 Australian dollars."),
        ("We worked ten fewer days.", "We worked ten extra days."),
        ("We had zero complaints last year.", "We had complaints last year."),
        ("We had zero complaints last year.", "We had one complaint last year."),
        ("We had one complaint last year.", "We had complaints last year."),
        (REVENUE.format(137), REVENUE.format("one hundred and seventy-four")),
        (REVENUE.format(137), REVENUE.format(137).replace("dollars", "euros")),
        (REVENUE.format(137), REVENUE.format(137).replace("second", "third")),
        ("We spoke with Ann Bell about the new harbour.", "We spoke with Bo Lund about the new harbour."),
        ("Smith voted for the new harbour.", "Jones voted for the new harbour."),
        ("The margins of the shop did fall.", "The margins of the shop did not fall."),
        ("The margins of the shop didn't fall.", "The margins of the shop did fall."),
        ("Nobody in the town wants the bridge.", "Everybody in the town wants the bridge."),
        ("It went from five to nine percent.", "It went from nine to five percent."),
        ("Sales went up 5 percent in the quarter.", "Sales went down 5 percent in the quarter."),
        ("Sales rose to 9 percent.", "Sales fell to 9 percent."),
        ("The margins of the shop doubled last year.", "The margins of the shop tripled last year."),
        ("A query takes about 5 ms on the old machine.", "A query takes about 5 min on the old machine."),
        ("A query takes about 5 min on the old machine.", "A query takes about 5 s on the old machine."),
        ("The fair opens at 9 a.m. in the hall.", "The fair opens at 9 p.m. in the hall."),
        ("It costs 5 grand for a stall.", "It costs 5 bucks for a stall."),
        ("They want plan B for the harbour.", "They want plan C for the harbour."),
        ("It is written in C++ by the team.", "It is written in C# by the team."),
        ("Lund beat Bell by a wide margin.", "Bell beat Lund by a wide margin."),
        ("It is possible to close the ferry.", "It is impossible to close the ferry."),
        ("We lost money on each ticket.", "We hardly lost money on each ticket."),
        ("We can close the ferry.", "We can't close the ferry."),
        ("I think that we should close the ferry.", "I dont think that we should close the ferry."),
        ("We close the ferry.", "We failed to close the ferry."),
        ("It is less than 5 percent of the fares.", "It is more than 5 percent of the fares."),
        ("The ferry sails before the storm.", "The ferry sails after the storm."),
        ("The deal is off for the team.", "The deal is on for the team."),
        ("Der Umsatz ist im Sommer nicht gestiegen.", "Der Umsatz ist im Sommer gestiegen."),
        ("Wir haben zwanzig Räder verkauft.", "Wir haben dreißig Räder verkauft."),
        ("La empresa nunca ganó dinero.", "La empresa siempre ganó dinero."),
        ("On n'a pas vendu le bac de Tolm.", "On a vendu le bac de Tolm."),
        ("销售额没有增长", "销售额增长"),
    ],
)
def test_other_figures_names_and_negations_are_never_the_same(one: str, other: str) -> None:
    assert adds(one, other) and adds(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (REVENUE.format(137), REVENUE.format("one hundred and thirty-seven")),
        (REVENUE.format(137), "Well, " + REVENUE.format(137).replace("we are", "we're")),
        ("The margin was -5 percent.", "The margin was minus five percent."),
        ("The margin was +5 percent.", "The margin was 5 percent."),
        ("The share was <7 percent.", "The share was less than seven percent."),
        ("Download the app, and never miss a show.", "So download the app and never miss a show."),
        ("He did not say why. It rained.", "And he did not say why. It rained"),
        ("We don't close the ferry to Tolm.", "Okay, so we do not close the ferries to Tolm."),
        ("So it's written in C++, right?", "It is written in C++."),
        ("It grew by 2.10 percent a year.", "It grew by 2.1 percent a year."),
        ("A 20 percent rise is likely.", "The 20 percent rise is likely."),
        ("Did the ferry sail in May?", "And did the ferry sail in May?"),
        ("L'appel du bac est pour lundi.", "Alors voilà, l’appel du bac est pour lundi."),
    ],
)
def test_the_same_in_nearly_the_same_words(one: str, other: str) -> None:
    assert not adds(one, other) and not adds(other, one)


def test_a_part_adds_nothing_to_the_whole_and_the_whole_does_to_a_part() -> None:
    whole = "We raised the fares. We did not close the ferry to Tolm, which carries 90 cars."
    assert not adds("We raised the fares.", whole) and not adds("which carries ninety cars", whole)
    assert not adds("We did not close the ferry to Tolm", whole)
    assert not adds("We raised the fares.", "Last year we raised the fares, and we are glad.")
    assert adds(whole, "We raised the fares.") and adds("We did close the ferry to Tolm", whole)


SOME = "the fell not 12 twelve Ann bell no . margins didn't of percent".split()
WORDS = st.lists(st.sampled_from(SOME), max_size=25)


@given(WORDS.map(" ".join))
def test_a_text_adds_nothing_to_itself(text: str) -> None:
    assert not adds(text, text)
