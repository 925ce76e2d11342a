"""The question in a text that was written to somebody: "Hi all, ... could you check what was said about the
lease? Thanks, Tom"."""

from __future__ import annotations

import re

from onrecord.retrieve.plan.asked import low
from onrecord.retrieve.plan.follow import refers
from onrecord.retrieve.plan.several import LEAD_IN

_GREETING = (
    r"\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|bonjour|bonsoir|salut|chers?|cheres?)\b"
    r"(?: [^\W\d_][\w'.-]*){0,4}\s*(?:[,!]+\s*|:\s*|\n+\s*)"
)
_THANKS = (
    r"(?:(?:many )?thanks|thank you|thx|cheers|(?:kind |best |warm )?regards|best(?: wishes)?|all the best|"
    r"yours(?: sincerely)?|sincerely|merci|cordialement|bien a (?:vous|toi)|bonne journee|a bientot)"
)
_MORE_THANKS = (
    r"(?: in advance| so much| very much| a lot| again| for (?:your|any) help| d'avance| beaucoup| "
    r"par avance| (?:bien )?a (?:vous|toi|tous))*"
)
_PARTING = (
    rf"(?<=[?.!\n])\s*(?:{_THANKS}{_MORE_THANKS}[\s,.!-]*)+"
    r"(?P<name>[^\W\d_][\w'.-]*(?: [^\W\d_][\w'.-]*){0,3})?[\s.!]*$"
)
_LONGEST_END = 160
"""Characters of thanks and names at the end of a text."""
_SENTENCE = r"(?<=[.?!])(?<!\b[MD][rs]\.)(?<!\bMrs\.)(?<!\bProf\.)(?<!\bMme\.)(?<!\b[A-Z]\.)\s+|\n+"
_REQUEST = (
    r"(?:(?:so|and|also|now|alors|et),? )?(?:please )?"
    r"(?:(?:can|could|would|will) (?:you|anyone|anybody|someone|somebody)"
    r"(?: (?:please|kindly|maybe|quickly|also))*|"
    r"i(?: would|'d) (?:like|love)(?: you)? to|i (?:want|need) to|i was wondering|i wonder|"
    r"(?:pouvez|pourriez|peux|pourrais)-(?:vous|tu)(?: (?:me|nous))?|"
    r"je (?:voudrais|veux|souhaite|me demande))?"
    r" ?(?:please )?"
    r"(?:(?:check|look up|find out|tell me|tell us|let me know|let us know|know|see|confirm|remind me|verify|"
    r"explain|summari[sz]e|list|say|verifier|regarder|dire|savoir|(?:dis|dites|indiquez)-(?:moi|nous)|"
    r"trouver) )?(?:please )?"
    r"(?=(?:what|who|whom|whose|when|where|why|how|which|ce qu|qui|quand|comment|pourquoi|combien|quel|"
    r"(?:list|summari[sz]e|compare|name|show|resumer|lister|comparer)\b))"
)
"""What leads to a question within a sentence."""
_INDIRECT = r"^ce qu(?=i |e |')"
_ASKS = (
    r"(?:please|(?:can|could|would|will) (?:you|anyone|someone)|let me know|tell me|"
    r"i(?: would|'d) like|i wonder|(?:pouvez|pourriez|peux|pourrais)-)"
)


def question_of(text: str) -> str:
    """What is asked in a text that greets somebody, or ends with thanks and a name: its questions, without
    what leads to them, or all between greeting and thanks where that is what they are about. Any other text
    stays as it is."""
    text = text.strip()
    plain = low(text)
    end = max(0, len(plain) - _LONGEST_END)
    greeting, parting = re.match(_GREETING, plain), re.compile(_PARTING).search(plain, end)
    if not _is_letter(greeting, parting, plain):
        return text
    body = text[greeting.end() if greeting else 0 : parting.start() if parting else len(text)].strip()
    sentences = [sentence.strip() for sentence in re.split(_SENTENCE, body) if sentence.strip()]
    asking = [sentence for sentence in sentences if _asks(sentence)]
    if not asking or (len(asking) < len(sentences) and any(map(refers, map(low, asking)))):
        return body or text
    return "\n".join(map(_bare, asking))


def _is_letter(greeting: re.Match[str] | None, parting: re.Match[str] | None, text: str) -> bool:
    """Whether somebody is written to: greeted, and thanked or left, or either with somebody's name."""
    if greeting and parting:
        return True
    if parting:
        return bool(parting["name"])
    return bool(greeting) and "\n" in text


def _asks(sentence: str) -> bool:
    plain = low(sentence)
    return plain.endswith("?") or bool(re.match(_ASKS, plain))


def _bare(sentence: str) -> str:
    """A question without what leads to it: "could you check what was said?"."""
    sentence = re.sub(LEAD_IN, "", sentence)
    found = re.match(_REQUEST, low(sentence))
    rest = sentence[found.end() :] if found else sentence
    rest = re.sub(_INDIRECT, "qu'est-ce qu", rest)
    return rest if rest.endswith("?") else rest.rstrip(" .!") + "?"
