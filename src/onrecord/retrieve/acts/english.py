"""By which words something is decided, promised, asked, ... in English, as it is spoken.

Patterns are of plain lower case without accents (see `onrecord.retrieve.acts.cues`).
"""

from __future__ import annotations

from onrecord.retrieve.acts.cues import Cues
from onrecord.retrieve.acts.english_stances import (
    AGREEMENT,
    COMPLAINT,
    DISAGREEMENT,
    RECOMMENDATION,
    RISK,
)

_JUST = r"(?:(?:all|just|also|now|already|finally|then|therefore|really|basically|actually|probably|maybe) )*"
"""What may stand between a pronoun and its verb."""
_DO = (
    r"(?:arrange|assign|book|bring|buy|call|change|check|circulate|clean|collect|compile|confirm|contact|"
    r"contribute|copy|deliver|distribute|do (?:it|that|this|some|the|a)|double.check|draft|draw|e-?mail|"
    r"fill|find out|finish (?!up|with)|fix|follow up|forward|gather|get (?:back to|in touch|it done|you|the "
    r"\w+ to)|give (?:you|him|her|them) (?:the|a copy)|go and|implement|investigate|let you know|look (?:at|"
    r"for|into|that up)|mail|make sure|meet (?:with|up)|order|organi[sz]e|pay|phone|pick up|post|prepare|"
    r"print|put (?:it|that|this|the|together|up|a)|reach out|redo|report|research|review|schedule|send|set "
    r"(?:it |that |this )?up|share|sort (?:it|that|this|out)|speak (?:to|with)|submit|take (?:care of (?:it|"
    r"that|this)|it over|a look)|talk (?:to|with)|test|track|translate|try to|update|upload|verify|work "
    r"(?:on|out)|write)\b"
)
_DAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|today|next \w+|the "
    r"end of|the \w+(?: of)? (?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december))\b"
)
_OURS = r"(?:we|the (?:committee|council|board|group|team|cabinet|government|company|members|house))"
_DEEMED = r"(?:decided|agreed|approved|settled|resolved|adopted)"
_ITEM = r"(?:motions?|amendments?|resolutions?|proposals?|by-?laws?|minutes|agenda|budget)"

_TALK_ITSELF = (
    r"\bwe(?:'ll| will) (?:see|talk|start|get to|have to|come|be right|take (?:a|your|our|the)|hear|do our)\b"
)
"""Of how the talk goes on."""

DECISION = Cues(
    sure=(
        rf"\b{_OURS}(?:'ve| have| had)? {_JUST}(?:decided|agreed|resolved|voted|opted|settled|chose|chosen)"
        r"\b(?! (?:with|by|earlier)\b)",
        rf"\b(?:it|that|this|all|everything)(?:'s| is| was| has been|'s been) {_JUST}{_DEEMED}\b",
        rf"\b(?:was|were|been) (?:\w+ )?{_DEEMED} (?:that|to|on|by)\b",
        rf"\b{_ITEM} (?:is |are |was |were |has been |have been )?(?:\w+ )?(?:carrie[sd]|passe[sd]|agreed "
        r"to|adopted|approved|defeated|withdrawn|rejected)\b",
        r"\bin favou?r\b[^.?!]{0,12}\b(?:\w+|\d+) (?:against|opposed)",
        r"\b(?:we|i)(?:'ll| will| shall)? (?:have )?(?:made|make|taken|take) (?:a|the|our|my|that) "
        r"decision\b",
        r"\b(?:the|our|my|final) decision (?:is|was|has been)\b(?! (?:not|up|yours|to be)\b)",
        r"\bi(?:'ve| have) (?:now )?decided\b",
        r"\bwe(?:'re| are) (?:all )?agreed\b|\bwe(?:'ve| have) (?:an agreement|a consensus|consensus)\b",
        rf"\b(?:let's|we'll|we will|we're going to|we are going to|we're gonna) {_JUST}(?:go (?:with|for)|"
        r"stick (?:with|to)|settle (?:on|for)|opt for|adopt)\b",
    ),
    likely=(
        r"\bwe(?:'re| are) (?:going|sticking) with\b",
        r"\bwe should go (?:with|for)\b",
        r"\bwe (?:all )?agree (?:that|on|to)\b",
        r"\b(?:no objections|seeing none|all (?:those )?in favou?r)\b",
    ),
    hints=(
        rf"\b(?:ok(?:ay)?|alright|all right|so|then|right|good|fine)[ ,]+{_JUST}(?:we'll|we will|we're "
        r"going to|we are going to|we're gonna|let's|we won't|we will not)\b",
        r"\b(?:let's|we'll|we will) (?:just )?(?:keep|leave|skip|drop|use|take|make it|say|do) (?:it|that|"
        r"this|the|those|with)\b",
        r"\bdecision\b",
        r"\bthey(?:'ve| have| had)? (?:\w+ )?(?:decided|agreed|resolved|voted)\b",
    ),
    never=(
        r"\b(?:not|\w+n't|never|to be|be|yet|before|if|once|until|when|whether|how|what|which|who|unless|"
        r"things?|have|had|did) (?:we |they |it |it's |it is |you |i |we've |they've |we have )?(?:have |"
        rf"had |been |yet |all |finally |really |already )*{_DEEMED}\b",
        rf"\b(?:not|\w+n't|never) (?:\w+ )?{_DEEMED}\b",
        rf"\bthe \w+ (?:that |which )?we(?:'ve| have| had)? (?:already )?{_DEEMED} (?:on|upon|to)\b",
        r"\b(?:when|after|until|once|if|before|unless|whether) (?:we|you|they|i|that|this|it|the|a) "
        rf"(?:\w+ ){{0,3}}(?:decision|{_DEEMED})\b",
        r"\b(?:come|came|coming|comes) to (?:a |the |some )?decisions?\b|\bsettled (?:down|in)\b",
        r"\bagreed (?:with|price|amount)\b|\bagreed on (?:it )?(?:earlier|before|last)\b",
        r"\bdecisions?[ -](?:mak\w+|trees?|nodes?|theory|problem|points?|process)",
        r"\blet's (?:say|see|talk|start|face|be|assume|suppose|take a|take the|call|get|look|move on)\b",
        _TALK_ITSELF,
        r"\blet's go (?:for|with) (?:the|a) (?:\w+ )?(?:presentations?|questions?|slides?)\b",
    ),
    words=(
        "decided agreed resolved voted approved adopted carried motion decision settled consensus favour "
        "favor unanimous"
    ),
)

_WILL = rf"\bi(?:'ll| will| shall) {_JUST}{_DO}"
_GOING_TO = rf"\bi(?:'m going to| am going to|'m gonna) {_JUST}{_DO}"

TASK = Cues(
    sure=(
        r"\bi(?:'ll| will|'d like to|'m going to|'m gonna) (?:\w+ )?ask [^.?!]{2,40}? to (?!be\b|come in|"
        r"speak|respond|give|start|tell|comment|cover|answer|introduce|say|talk|explain)",
        _WILL,
        rf"\b(?:can|could|will) you {_JUST}(?:please )?{_DO}",
        rf"\byou(?:'ll| will| are|'re) {_JUST}(?:need to|have to|supposed to) {_JUST}{_DO}",
        rf"(?:^|[.,!;:] |\b(?:and|so|then) )please,? {_DO}",
        r"\b(?:action items?|action points?|to.?do list|homework|your (?:task|job|assignment))(?: for "
        r"\w+(?: \w+)?| then| here)? (?:is|are|will|would)\b",
        r"\b(?:leave (?:it|that) (?:to|with) me|i'm on it|i volunteer(?! (?:for|at|with)\b)|i'll be "
        r"(?:responsible|in charge))\b",
        r"\bi(?:'ll| can) (?:take|do) (?:that|this)(?: one)?[.,!]?$",
        r"\b(?:need|needs|have|has) to be (?:done|ready|finished|sent|checked|submitted|written|prepared)"
        rf"\b[^.?!]{{0,40}}\b(?:by|before|until) {_DAY}",
        r"\b(?:i|we|you|they|he|she)(?:'ll| will| need to| must| should| have to| has to|'re going to) "
        rf"[^.?!]{{3,60}}\b(?:by|before|until) {_DAY}",
        r"\bwe (?:ask|buy|send|write|order|call|invite|book)\b[^.?!]{3,60}\b(?:by|before|until|now)\b",
    ),
    likely=(_GOING_TO,),
    hints=(
        rf"\byou(?: are|'re) {_JUST}(?:going to|gonna) {_JUST}{_DO}",
        rf"\bwe {_JUST}(?:need to|have to|'ve got to|must|should) {_JUST}{_DO}",
        rf"\bi (?:can|could|need to|have to|should) {_JUST}{_DO}",
        rf"\byou {_JUST}(?:should|can|could|might want to|need to|have to) {_JUST}{_DO}",
        rf"\b(?:by|before) {_DAY}",
        r"\b(?:responsible for|in charge of|supposed to)\b",
        rf"\b(?:he|she|they)(?: will|'ll| needs? to| has to| have to| is going to) {_JUST}{_DO}",
    ),
    never=(
        r"\bi(?:'ll| will|'m going to|'m gonna) (?:\w+ )?(?:give you (?:an|a|one|the|two|some|my|another)|"
        r"go (?:through|over|back|ahead|and)|talk|show|read|ask (?:you|a|one|the|about|this|two|um)|discuss|"
        r"provide|take (?:the|your|a|one|that (?:question|one))|get (?:to|into|the|started|back to)|remind|"
        r"try (?:and|to) (?:answer|be|explain|keep|address)|put (?:it|the word)|make (?:a|the|some) (?:\w+ "
        r")?(?:comment|point|remark|observation)\w*|pass (?:it|the|that)|hand|present|wait|start|turn|move|"
        r"call it)\b",
        r"\b(?:can|could|would|will) you (?:\w+ )?(?:please )?(?:give (?:us|me)|talk|speak|share|provide|"
        r"update us|remind (?:me|us)|go (?:back|over|through|into)|do (?:it|that|this)|get|tell|show|"
        r"discuss|confirm|help (?:me|us) understand|read|write it|try)\b",
        r"\bplease (?:go ahead|proceed|stand by|hold|press|limit|continue|note|refer|see|come|take your|"
        r"welcome|disconnect|be |start|pick up|make sure your|review|check|move|turn|look)",
        r"\b(?:if|when|are|what|whether|think|thought) you(?:'re| are)? (?:going to|gonna|supposed to)\b",
        r"\b(?:would|could|might) (?:say|think|ask)\b",
        r"\b(?:says?|said|saying|like|goes?),? \"[^\"]*",
        r"\bif i\b[^.?!]{0,60}\bi(?:'m gonna|'m going to|'ll)\b",
        r"\b(?:say|says|said|saying|tells?) (?:that )?i(?:'ll| will)\b",
        r"\bi(?:'ll| will) (?:call (?:your|you|out|on)|(?:go|be) (?:fast|quick|brief)\w*|"
        r"try to,? (?:go|be|keep|read|stick|answer)|share)\b",
        r"\bi(?:'ll| will|'m going to) (?:now |also |briefly )?(?:review|summari[sz]e|cover|discuss|comment) "
        r"(?:our|the|some|on)\b",
        r"\byou(?:'ll| will) (?:need|have) to reach out\b|\bwe(?:'ll| will) stay\b[^.?!]*",
        r"\bplease (?:contact|visit|update|do it|go to|feel free|subscribe|email us)\b",
        r"\bplease (?:reach out|share|make sure to (?:turn|mute|limit)|identify)\b",
        r"\bplease (?:do that|slow)\b|\bplease make sure (?:the|you)\b|\bcan you deliver\b",
        r"\bcheck (?:us|it|them) out\b|\b(?:when|if|so|whatever) your (?:task|job) is\b",
    ),
    words=(
        "action please responsible send prepare email deadline tomorrow friday monday homework task tasks "
        "volunteer follow schedule circulate need"
    ),
)

_PLEDGE = r"(?:will|'ll|are going to|'re going to|plan to|intend to|expect to|commit to|promise to|aim to)"

PROMISE = Cues(
    sure=(
        _WILL,
        r"\b(?:we (?:\w+ )?(?:promise|commit|pledge|undertake|guarantee|vow)|i (?:\w+ )?(?:commit|pledge|"
        r"undertake|vow))\b",
        r"\bi (?:\w+ )?(?:promise|guarantee)(?: you)? (?:to|(?:that )?(?:i|we)(?:'ll| will))\b",
        r"\b(?:i|we)(?:'ve| have| had|'m|'re| am| are)? (?:\w+ )?(?:promised|committed to|pledged|"
        r"guaranteed)\b",
        r"\b(?:my|our) (?:promise|pledge)\b",
        rf"\bwe {_JUST}(?:plan to|intend to|commit to|aim to)\b",
        r"\bwe(?: will|'ll| are going to|'re going to|'re gonna) [^.?!]{3,80}\b(?:by|before|until) "
        rf"(?:{_DAY}|\d{{4}})",
        rf"\b(?:from|next|in|this) (?:{_DAY}|year|month|week|quarter|spring|summer|autumn|fall|winter)"
        rf"[^.?!]{{0,20}}\bwe {_PLEDGE}",
    ),
    likely=(_GOING_TO, rf"\bwe (?:will|'ll) {_JUST}{_DO}"),
    hints=(rf"\bwe {_JUST}(?:will|are going to)\b", r"\bwe(?:'ll|'re going to)\b"),
    never=(*TASK.never, _TALK_ITSELF, r"\bi(?:'ll| will|'m going to|'m gonna) (?:\w+ )?ask\b"),
    words="promise commit committed pledge guarantee plan intend aim",
)

_ASKING = (
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|"
    r"would|will|should|shall|may|might|isn't|aren't|don't|doesn't|didn't|won't|wouldn't|couldn't|haven't|"
    r"any)"
)
_HEARER = r"(?:you|we|they|it|he|she|there|that|this|these|those|i|the|your|our|any|anyone|anybody|people)"

RELAYED = Cues(
    sure=(
        r"\b(?:listeners?|viewers?|callers?|readers?|someone|somebody|audience|floor|chat|analysts?|investors?|"
        r"shareholders?|reporters?|journalists?)\b[^.?!]{0,40}\b(?:asks?|asked|wants? to know|wonders?)\b",
    ),
    never=(
        r"\b(?:to|can|could|will|would|might|may|should|i|we|you|if|when|nobody|haven't|hasn't|didn't)"
        r" (?:\w+ )?(?:asks?|asked)\b",
        r"\b(?:asks?|asked) (?:them|listeners|our)\b",
    ),
)
"""A question of somebody who does not speak."""

QUESTION = Cues(
    sure=(
        r"(?:^|[.,;:-] )(?:(?:and|so|but|now|then|well|ok|okay|um|uh|yeah|or|just|first|secondly?)"
        rf"(?: ?,)? ?)*{_ASKING}\b[^?]*\?",
        r"\bi (?:was |am |'m )?(?:just )?(?:wonder(?:ing)?|curious)(?: if| whether| about| what| how| why)\b",
        r"\b(?:my|the|another|one) (?:\w+ )?question (?:is|was|would be|concerns|on|about)\b",
        *RELAYED.sure,
    ),
    likely=(
        r"[\w')\"] ?\?$",
        r"^(?:(?:and|so|but|um|uh|well) )*(?:what|why|how|where|when|who) (?:do|does|did|would|could|can|"
        rf"should|are|were|have|has) {_HEARER}\b[^.?!]*$",
    ),
    hints=(
        rf"^(?:(?:and|so|but|um|uh) )*(?:(?:do|does|did|have|has|had|can|could|would|will|should) {_HEARER}|"
        r"(?:what|why|how|where|when|who) (?:is|are|was|were|do|does|did|would|could|about))\b[^.?!]*$",
        r"^(?:(?:and|so|but|um|uh) )*(?:do|can|could|would|will) you\b[^.?!]*$",
    ),
    never=(
        r"(?:^|[\s,])(?:right|ok(?:ay)?|yeah|yes|no|huh|hm+|eh|really|correct|see|you know|you know what i "
        r"mean|is it|isn't it|is it not|aren't (?:they|we|you)|don't (?:you|they|we)|doesn't it|wasn't it|"
        r"won't (?:it|you|we)|pardon|sorry|excuse me|what|what else|is that right|does that make sense|make "
        r"sense) ?\?$",
        r"\b(?:how are you|can you hear me|are you (?:there|ready)|is (?:that|this|it) on|any (?:other |"
        r"more |further )?questions|what do you mean|what did (?:you|he|she) say|are we (?:on|ready|done)|"
        r"shall we|who's next|how(?:'s| is) it going|what's that|what is that|is that (?:ok|okay|it|all)|go "
        r"ahead|hear me)\b",
        r"\bcan i (?:just |also )?(?:remind|say|thank|welcome|note)\b[^?]*\?",
        r"\bcan you hear (?:me|us)\b[^?]*\?",
        r"\b(?:next|first|last|final) question is [\w .,'-]{2,40} from\b",
        r"\b(?:(?:next|first|last|final) question (?:\w+ )?(?:is |comes? |coming )?from|does that help|"
        r"wanna (?:touch|take))\b",
    ),
    words="question wondering curious asks wonder asked",
)

_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"

OPEN = Cues(
    sure=(
        r"\b(?:open|unresolved|outstanding|pending|unanswered) (?:question|issue|point|item|matter)s?\b",
        r"\b(?:remains?|still|has|have|is|are|yet|needs?) (?:yet )?to be (?:seen|decided|determined|"
        r"resolved|settled|worked out|clarified|agreed|discussed|confirmed|figured out|sorted)\b",
        r"\b(?:have|has|had)(?:n't| not|n't yet| not yet| yet to) (?:\w+ ){0,2}(?:decided?|resolved?|"
        r"settled?|figured|determined?|agreed?|worked out|answered|made a decision|reached a)\b",
        r"\bwe (?:still )?(?:don't|do not) (?:yet )?know(?= (?:yet|whether|if|how|what|who|when|where|why|"
        r"exactly|which)\b|[.,;]|$)",
        r"\b(?:we(?:'ll| will)|let's|we (?:can|should|have to|need to)) (?:\w+ )?(?:decide|discuss|revisit|"
        r"come back to|leave|postpone|defer|table|talk about|look at|see|think about|know)"
        r"\b[^.?!]{0,40}\b(?:later|next (?:time|week|meeting|month|year)|another (?:time|day|meeting)|in "
        rf"(?:a|two|three|\w+) (?:weeks?|months?|years?)|in (?:the )?{_MONTH}|for now|afterwards)\b",
        r"\bi still (?:don't|do not) know (?:if|whether|how|what|who|when|which|where|why)\b",
        r"\b(?:expect|hope|still have|still need|wait) to (?:decide|determine|figure out|find out|settle|"
        r"work out)\b",
        rf"\bdecide (?:on|about) [^.?!]{{2,40}}\b(?:in {_MONTH}|by {_DAY}|later|next)",
        r"\b(?:still|is|are|it's|remains?) (?:\w+ )?(?:an open question|undecided|unclear|unresolved|"
        r"unsettled|up in the air|to be determined|tbd|not clear|not decided|unknown)\b",
    ),
    likely=(
        r"\bwe (?:need|have|got) to (?:decide|figure out|find out|work out|think about)\b",
        r"\bthe question is\b",
        r"\bwe(?:'ll| will) (?:have to|need to) (?:see|decide|find out|think|figure)\b",
    ),
    hints=(
        r"\bi (?:still )?(?:don't|do not) know (?:if|whether|how|what) (?:we|the|that|this)\b",
        r"\b(?:i'm|we're|i am|we are) (?:still )?not (?:quite |really |yet |entirely |too )?(?:sure|clear|"
        r"certain)\b",
        r"\bwe(?:'ll| will) (?:see|find out|know)\b",
        r"\bi wonder\b",
    ),
    never=(
        r"\b(?:see|know) you\b",
        r"\bwhat (?:the|your|that) question (?:is|was)\b|\b(?:decide|discuss) (?:\w+ ){0,2}in this meeting\b",
        r"\b(?:which|and|that) (?:i think )?we(?:'ll| will) talk about (?:\w+ ){0,3}later\b",
        r"\bi don't know (?:what|why|how|if) (?:you|i'm|i am|to say)\b",
        r"\blet's see\b",
    ),
    words="open unresolved unclear undecided decide determined know sure later remains",
)

TABLE = {
    "decision": DECISION,
    "task": TASK,
    "promise": PROMISE,
    "question": QUESTION,
    "relayed": RELAYED,
    "open": OPEN,
    "risk": RISK,
    "disagreement": DISAGREEMENT,
    "agreement": AGREEMENT,
    "recommendation": RECOMMENDATION,
    "complaint": COMPLAINT,
}
