"""By which words something is decided, promised, asked, ..."""

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.acts import ACTS, LEAST, strength
from onrecord.retrieve.acts.performed import possible, words_of

DONE = {
    "decision": [
        "We decided to keep the rubber case.",
        "Okay, so let's go with the yellow buttons.",
        "The motion is carried.",
        "Six in favour, two against.",
        "It has been agreed.",
        "I've decided, we leave on Monday.",
        "No objections?",
    ],
    "task": [
        "I'll send you the minutes.",
        "I 'll um send the the minutes .",
        "Omar, can you write the report?",
        "Please prepare the slides.",
        "You'll need to check the invoices.",
        "The slides must be ready, they have to be sent before Friday.",
        "Leave it with me.",
        "I'm going to ask Dana to book the room.",
    ],
    "promise": [
        "I promise to be there.",
        "We will publish the figures by December.",
        "From next year we will raise wages.",
        "We are committed to the plan, and we intend to open two more.",
    ],
    "question": [
        "Why did the pump fail?",
        "So, um, how many did you sell?",
        "I was wondering if you could say more about margins.",
        "what do you think about the lease",
        "A listener from Oslo asks whether it pays.",
    ],
    "open": [
        "That remains to be seen.",
        "It is still an open question.",
        "We don't know yet who pays.",
        "We'll come back to that next week.",
        "We haven't decided on the colour.",
    ],
    "risk": [
        "The biggest problem is the pump.",
        "I'm worried about the lease.",
        "There is a danger that it breaks.",
        "If one of them fails, we are closed.",
        "One concern is the noise.",
    ],
    "disagreement": [
        "I don't agree with that.",
        "With respect, I disagree.",
        "That's not true.",
        "On the contrary, it rose.",
    ],
    "agreement": ["I totally agree.", "You're right about the roof.", "I don't agree.", "That's wrong."],
    "recommendation": [
        "I would recommend the cheaper one.",
        "You should call the landlord first.",
        "Maybe we could ask the neighbours.",
        "If I were you, I would wait.",
        "The best thing to do would be to sell.",
    ],
    "complaint": [
        "People complain about the smell.",
        "I'm fed up with this phone.",
        "Nobody answers the phone.",
        "It doesn't work.",
    ],
}
FAIT = {
    "decision": ["Nous avons décidé de garder le toit.", "C'est décidé.", "Bon, on part sur le bleu."],
    "task": ["Je m'en occupe.", "Pouvez-vous envoyer le devis ?", "Il faut le rendre avant vendredi."],
    "promise": ["Je vous promets une réponse.", "Nous nous engageons : on s'engage à payer."],
    "question": ["Combien cela coûte-t-il ?", "Pourquoi avoir attendu ?"],
    "open": [
        "On ne sait pas encore qui paie.",
        "Il reste à trancher.",
        "La question reste ouverte.",
        "On en reparle lundi.",
    ],
    "risk": ["Il y a un risque d'incendie.", "Ils craignent le bruit.", "Si la pompe tombe, tout s'arrête."],
    "disagreement": ["Je ne suis pas d'accord.", "Au contraire, cela monte."],
    "agreement": [
        "Je suis d'accord.",
        "Vous avez raison.",
        "Ana a raison sur le prix.",
        "Je ne suis pas d'accord.",
    ],
    "recommendation": ["Je vous conseille d'attendre.", "Il vaudrait mieux vendre."],
    "complaint": ["Les voisins se plaignent du bruit.", "C'est inacceptable."],
}
NOT = {
    "decision": [
        "Have we decided on the colour?",
        "It has not been decided.",
        "If it is decided, we leave.",
        "That depends on the decision tree.",
        "Let's see what happens.",
        "When we agreed on the price it was May.",
        "They decided to sell the band's old van.",
        "Here are the colours we already agreed on.",
        "The mayor calls when we have made the decision.",
        "Once it is agreed we print the posters.",
        "The storm has been settled down by noon.",
        "They came to a decision on Monday, or so I heard.",
    ],
    "task": [
        "I'll show you a picture.",
        "Please go ahead.",
        "Could you talk about margins?",
        "I'll give you an example.",
        "They think, oh, I'll start again.",
        'The clock says, "Every minute I\'ll call you."',
        "If I cannot sleep I'm gonna put the radio on.",
        "Please talk slowly, and make sure that the line is clear.",
        "My cousins say I'll mail the parcels.",
        "I'll call out the numbers of the raffle.",
        "Please reach out to us on the website.",
        "I'll try to, um, keep the door shut.",
        "You are responsible for your own luck.",
        "I volunteer for the lifeboats.",
        "Please contact our office on Mondays.",
        "I will review the harvest in a moment.",
    ],
    "question": [
        "It's cold, right?",
        "Any questions?",
        "You know what I mean?",
        "He asked for bread.",
        "Can I remind you to take an umbrella?",
        "The first question is Mr Lind from the Gazette.",
        "Can you hear us?",
    ],
    "open": [
        "Let's see.",
        "The shop is open on Monday.",
        "There is a trick, which we'll talk about later.",
        "There are days when you have to decide.",
        "I forgot what the question was.",
        "We need to decide the price in this meeting.",
    ],
    "risk": [
        "No problem at all.",
        "Don't worry.",
        "As far as the pump is concerned, it runs.",
        "I'm afraid I am late.",
        "That is not a problem.",
        "It is less than I feared.",
        "My uncle is a risk-taker on skis.",
        "We de-risk every project first.",
        "I'm afraid it's a long story.",
        "The bridge holds, nothing to worry about.",
        "They weren't very concerned about the paint.",
    ],
    "agreement": [
        "If you agree, we leave.",
        "You are right here.",
        "Do you agree?",
        "I'm not saying that she is right about hens.",
        "We are not against a second oven.",
        "Here is the colour that we agreed on.",
    ],
    "disagreement": [
        "No problem.",
        "I don't see how a baker would disagree.",
        "Yes, exactly.",
        "I'm not against it.",
        "Everybody has things they disagree with.",
        "I'm afraid that I'm against the clock today.",
        "You may disagree, of course.",
        "He wears a hat that's ridiculous.",
        "I'm leaning against the door.",
    ],
    "recommendation": [
        "What should we expect?",
        "The figures would suggest a loss.",
        "I should say it is cold.",
        "Maybe you could describe the plan for us.",
        "The new mill will be best in class.",
        "The best way to think about hens is as lodgers.",
        "We do it in order to encourage the young.",
        "We urge all investors to keep calm.",
        "Olaf is trying to suggest you should dance.",
        "I'd definitely have slept longer.",
    ],
    "complaint": [
        "I can't complain.",
        "It works.",
        "I hate to end on that.",
        "I'd be disappointed if it rained.",
        "Sorry to keep you waiting.",
        "My aunt never complained.",
        "With the new handle there are fewer complaints.",
        "Are you frustrated, Olaf?",
        "The compiler doesn't complain.",
        "It can be annoying.",
    ],
    "promise": [
        "The soup is better than it looks, I promise.",
        "I guarantee that it rains at noon.",
        "I promise you that I can swim.",
    ],
}


def pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(act, text) for act, texts in table.items() for text in texts]


@pytest.mark.parametrize(("act", "text"), pairs(DONE))
def test_a_sentence_does_what_its_words_do(act: str, text: str) -> None:
    assert strength(text, act, "en") >= LEAST


@pytest.mark.parametrize(("act", "text"), pairs(FAIT))
def test_in_french_too(act: str, text: str) -> None:
    assert strength(text, act, "fr-CA") >= LEAST


@pytest.mark.parametrize(("act", "text"), pairs(NOT))
def test_words_that_only_look_like_it_do_not(act: str, text: str) -> None:
    assert strength(text, act) < LEAST


def test_what_a_caller_is_asked_for_at_once_is_no_task() -> None:
    assert strength("Pouvez-vous me donner votre numéro ?", "task", "fr") < LEAST


def test_what_contradicts_counts_only_where_somebody_else_has_just_spoken() -> None:
    assert strength("No, but you can't see it.", "disagreement", reply=True) >= LEAST
    assert strength("No, but you can't see it.", "disagreement") < LEAST


def test_a_language_without_cues_is_read_as_english() -> None:
    assert strength("We decided to go.", "decision", "de") == 1.0
    assert set(words_of("decision", ["de", None])) == set(words_of("decision", ["en"]))
    assert {"decided", "décidé"} <= set(words_of("decision", ["en", "fr"]))


AROUND = ("It rained", "The room is cold", "Hello everybody")


@pytest.mark.parametrize(("act", "text"), pairs(DONE))
def test_what_is_done_in_a_sentence_is_possible_in_all_that_is_said_with_it(act: str, text: str) -> None:
    whole = f"{AROUND[0]}. {AROUND[1]}. {text} {AROUND[2]}."
    assert possible(text, act) and possible(whole, act, "en")
    assert not possible(". ".join(AROUND), act)


@pytest.mark.parametrize(("act", "text"), pairs(FAIT))
def test_it_is_possible_in_french_too(act: str, text: str) -> None:
    assert possible(f"Il pleut. {text} Il fait froid.", act, "fr")


def test_one_hint_alone_makes_nothing_possible() -> None:
    assert not possible("That decision came late. It rained.", "decision")
    assert possible("Okay, so we'll wait for the decision.", "decision")


@given(
    st.lists(st.sampled_from([text for _, text in pairs(DONE) + pairs(NOT)]), max_size=4),
    st.sampled_from(ACTS),
)
def test_where_nothing_is_possible_no_sentence_does_it(texts: list[str], act: str) -> None:
    if not possible(" ".join(texts), act):
        assert all(strength(text, act, reply=True) < LEAST for text in texts)


@pytest.mark.parametrize("text", ["and so ", "et, mais ", "no, but, ", "we will really ", "(", "a' "])
def test_the_longest_sentence_is_read_in_bounded_time(text: str) -> None:
    began = perf_counter()
    for act in ACTS:
        assert all(0 <= strength(text * 200, act, language) <= 1 for language in ("en", "fr"))
        assert all(possible(text * 200, act, language) in (False, True) for language in ("en", "fr"))
    assert perf_counter() - began < 2  # a machine may be busy; a pattern that backtracks takes minutes


@given(st.text(max_size=300), st.sampled_from(ACTS), st.sampled_from(["en", "fr", None]), st.booleans())
def test_any_text_has_a_strength(text: str, act: str, language: str | None, reply: bool) -> None:
    assert 0 <= strength(text, act, language, reply) <= 1
