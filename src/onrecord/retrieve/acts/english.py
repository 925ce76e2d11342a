"""By which words something is decided, promised, asked, ... in English, as it is spoken.

Patterns are of plain lower case without accents (see `onrecord.retrieve.acts.cues`).
"""

from __future__ import annotations

from onrecord.retrieve.acts.cues import Cues

_JUST = r"(?:(?:all|just|also|now|already|finally|then|therefore|really|basically|actually|probably|maybe) )*"
"""What may stand between a pronoun and its verb."""
_DO = (
    r"(?:arrange|assign|book|bring|buy|call|change|check|circulate|clean|collect|compile|confirm|contact|"
    r"contribute|copy|deliver|distribute|do (?:it|that|this|some|the|a)|double.check|draft|draw|e-?mail|"
    r"fill|find out|finish (?!up|with)|fix|follow up|forward|gather|get (?:back to|in touch|it done|you|the "
    r"\w+ to)|"
    r"give (?:you|him|her|them) (?:the|a copy)|go and|implement|investigate|let you know|"
    r"look (?:at|for|into|that up)|mail|make sure|meet (?:with|up)|order|organi[sz]e|pay|phone|"
    r"pick up|post|prepare|print|put (?:it|that|this|the|together|up|a)|reach out|redo|report|research|"
    r"review|schedule|send|set (?:it |that |this )?up|share|sort (?:it|that|this|out)|speak (?:to|with)|"
    r"submit|"
    r"take (?:care of (?:it|that|this)|it over|a look)|talk (?:to|with)|test|track|translate|try to|update|"
    r"upload|"
    r"verify|work (?:on|out)|write)\b"
)
_DAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|today|next \w+|"
    r"the end of|the \w+(?: of)? (?:january|february|march|april|may|june|july|august|september|october|"
    r"november|"
    r"december)|(?:january|february|march|april|may|june|july|august|september|october|november|december))\b"
)
_OURS = r"(?:we|they|the (?:committee|council|board|group|team|cabinet|government|company|members|house))"
_DEEMED = r"(?:decided|agreed|approved|settled|resolved|adopted)"
_ITEM = r"(?:motions?|amendments?|resolutions?|proposals?|by-?laws?|minutes|agenda|budget)"

_TALK_ITSELF = (
    r"\bwe(?:'ll| will) (?:see|talk|start|get to|have to|come|be right|take (?:a|your|our|the)|hear|do our)\b"
)
"""Of how the talk goes on."""

DECISION = Cues(
    sure=(
        rf"\b{_OURS}(?:'ve| have| had)? {_JUST}(?:decided|agreed|resolved|voted|opted|settled|chose|chosen)\b"
        r"(?! (?:with|by|earlier)\b)",
        rf"\b(?:it|that|this|all|everything)(?:'s| is| was| has been|'s been) {_JUST}{_DEEMED}\b",
        rf"\b(?:was|were|been) (?:\w+ )?{_DEEMED} (?:that|to|on|by)\b",
        rf"\b{_ITEM} (?:is |are |was |were |has been |have been )?(?:\w+ )?(?:carrie[sd]|passe[sd]|agreed to|"
        r"adopted|approved|defeated|withdrawn|rejected)\b",
        r"\b(?:\w+|\d+) in favou?r\b[^.?!]{0,12}\b(?:\w+|\d+) (?:against|opposed)",
        r"\b(?:we|i)(?:'ll| will| shall)? (?:have )?(?:made|make|taken|take) (?:a|the|our|my|that) "
        r"decision\b",
        r"\b(?:the|our|my|final) decision (?:is|was|has been)\b(?! (?:not|up|yours|to be)\b)",
        r"\bi(?:'ve| have) (?:now )?decided\b",
        r"\bwe(?:'re| are) (?:all )?agreed\b|\bwe(?:'ve| have) (?:an agreement|a consensus|consensus)\b",
        rf"\b(?:let's|we'll|we will|we're going to|we are going to|we're gonna) {_JUST}"
        r"(?:go (?:with|for)|stick (?:with|to)|settle (?:on|for)|opt for|adopt)\b",
    ),
    likely=(
        r"\bwe(?:'re| are) (?:going|sticking) with\b",
        r"\bwe should go (?:with|for)\b",
        r"\bwe (?:all )?agree (?:that|on|to)\b",
        r"\b(?:no objections|seeing none|all (?:those )?in favou?r)\b",
    ),
    hints=(
        rf"\b(?:ok(?:ay)?|alright|all right|so|then|right|good|fine)[ ,]+{_JUST}(?:we'll|we will|we're going "
        r"to|"
        r"we are going to|we're gonna|let's|we won't|we will not)\b",
        r"\b(?:let's|we'll|we will) (?:just )?(?:keep|leave|skip|drop|use|take|make it|say|do) (?:it|that|"
        r"this|the|"
        r"those|with)\b",
        r"\bdecision\b",
    ),
    never=(
        r"\b(?:not|n't|never|to be|be|yet|before|if|once|until|when|whether|how|what|which|who|unless|"
        r"things?|have|"
        r"had|did) (?:we |they |it |it's |it is |you |i |we've |they've |we have )?(?:have |had |been |yet |"
        r"all |"
        rf"finally |really |already )*{_DEEMED}\b",
        rf"\b(?:not|n't|never) (?:\w+ )?{_DEEMED}\b",
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
        r"\bi(?:'ll| will|'d like to|'m going to|'m gonna) (?:\w+ )?ask [^.?!]{2,40}? to (?!come in|speak|"
        r"respond|"
        r"answer|comment|introduce|say|talk|explain)",
        _WILL,
        rf"\b(?:can|could|will) you {_JUST}(?:please )?{_DO}",
        rf"\byou(?:'ll| will| are|'re) {_JUST}(?:need to|have to|supposed to) {_JUST}{_DO}",
        rf"(?:^|[.,!;:] |\b(?:and|so|then) )please,? {_DO}",
        r"\b(?:action items?|action points?|to.?do list|homework|your (?:task|job|assignment))"
        r"(?: for \w+(?: \w+)?| then| here)? (?:is|are|will|would)\b",
        r"\b(?:leave (?:it|that) (?:to|with) me|i'm on it|i volunteer|i'll be (?:responsible|in charge))\b",
        r"\bi(?:'ll| can) (?:take|do) (?:that|this)(?: one)?[.,!]?$",
        r"\b(?:need|needs|have|has) to be (?:done|ready|finished|sent|checked|submitted|written|prepared)\b"
        rf"[^.?!]{{0,40}}\b(?:by|before|until) {_DAY}",
        r"\b(?:i|we|you|they|he|she)(?:'ll| will| need to| must| should| have to| has to|'re going to) "
        rf"[^.?!]{{3,60}}\b(?:by|before|until) {_DAY}",
        r"\bwe (?:ask|buy|send|write|order|call|invite|book)\b[^.?!]{3,60}\b(?:by|before|until|now)\b",
        r"\byou(?:'re| are) (?:responsible for|in charge of)\b",
    ),
    likely=(
        _GOING_TO,
        rf"\byou(?: are|'re) {_JUST}(?:going to|gonna) {_JUST}{_DO}",
    ),
    hints=(
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
        r"provide|"
        r"take (?:the|your|a|one|that (?:question|one))|get (?:to|into|the|started|back to)|remind|"
        r"try (?:and|to) (?:answer|be|explain|keep|address)|put (?:it|the word)|"
        r"make (?:a|the|some) (?:\w+ )?(?:comment|point|remark|observation)\w*|pass (?:it|the|that)|hand|"
        r"present|"
        r"wait|start|turn|move|call it)\b",
        r"\b(?:can|could|would|will) you (?:\w+ )?(?:please )?(?:give (?:us|me)|talk|speak|share|provide|"
        r"update us|"
        r"remind (?:me|us)|go (?:back|over|through|into)|do (?:it|that|this)|get|tell|show|discuss|confirm|"
        r"help (?:me|us) understand|read|write it|try)\b",
        r"\bplease (?:go ahead|proceed|stand by|hold|press|limit|continue|note|refer|see|come|take your|"
        r"welcome|"
        r"disconnect|be |start|pick up|make sure your|review|check|move|turn|look)",
        r"\b(?:if|when|are|what|whether|think|thought) you(?:'re| are)? (?:going to|gonna|supposed to)\b",
        r"\b(?:would|could|might) (?:say|think|ask)\b",
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
        r"\b(?:i|we) (?:\w+ )?(?:promise|commit|pledge|undertake|guarantee|vow)\b",
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
    r"would|will|should|shall|may|might|isn't|aren't|don't|doesn't|didn't|won't|wouldn't|couldn't|"
    r"haven't|any)"
)
_HEARER = r"(?:you|we|they|it|he|she|there|that|this|these|those|i|the|your|our|any|anyone|anybody|people)"

RELAYED = Cues(
    sure=(
        r"\b(?:listener|viewer|caller|reader|someone|somebody|audience|floor|chat)\b[^.?!]{0,40}"
        r"\b(?:asks?|asked|wants? to know|wonders?)\b",
    ),
)
"""A question of somebody who does not speak."""

QUESTION = Cues(
    sure=(
        r"(?:^|[.,;:-] )(?:(?:and|so|but|now|then|well|ok|okay|um|uh|yeah|or|just|first|secondly?) ?,? ?)*"
        rf"{_ASKING}\b[^?]*\?",
        r"\bi (?:was |am |'m )?(?:just )?(?:wonder(?:ing)?|curious)(?: if| whether| about| what| how| why)\b",
        r"\b(?:my|the|another|one) (?:\w+ )?question (?:is|was|would be|concerns|on|about)\b",
        *RELAYED.sure,
    ),
    likely=(
        r"[\w')\"] ?\?$",
        r"^(?:(?:and|so|but|um|uh|well) )*(?:what|why|how|where|when|who) (?:do|does|did|would|could|can|"
        r"should|"
        rf"are|were|have|has) {_HEARER}\b[^.?!]*$",
    ),
    hints=(
        rf"^(?:(?:and|so|but|um|uh) )*(?:(?:do|does|did|have|has|had|can|could|would|will|should) {_HEARER}|"
        r"(?:what|why|how|where|when|who) (?:is|are|was|were|do|does|did|would|could|about))\b[^.?!]*$",
        r"^(?:(?:and|so|but|um|uh) )*(?:do|can|could|would|will) you\b[^.?!]*$",
    ),
    never=(
        r"(?:^|[\s,])(?:right|ok(?:ay)?|yeah|yes|no|huh|hm+|eh|really|correct|see|you know|you know what i "
        r"mean|"
        r"is it|isn't it|is it not|aren't (?:they|we|you)|don't (?:you|they|we)|doesn't it|wasn't it|won't "
        r"(?:it|you|"
        r"we)|pardon|sorry|excuse me|what|what else|is that right|does that make sense|make sense) ?\?$",
        r"\b(?:how are you|can you hear me|are you (?:there|ready)|is (?:that|this|it) on|any (?:other |more "
        r"|further )?"
        r"questions|what do you mean|what did (?:you|he|she) say|are we (?:on|ready|done)|shall we|who's "
        r"next|"
        r"how(?:'s| is) it going|what's that|what is that|is that (?:ok|okay|it|all)|go ahead|hear me)\b",
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
        r"\bwe (?:still )?(?:don't|do not) (?:yet )?know\b",
        r"\b(?:we(?:'ll| will)|let's|we (?:can|should|have to|need to)) (?:\w+ )?(?:decide|discuss|revisit|"
        r"come back to|leave|postpone|defer|table|talk about|look at|see|think about|know)\b[^.?!]{0,40}"
        r"\b(?:later|next (?:time|week|meeting|month|year)|another (?:time|day|meeting)|"
        rf"in (?:a|two|three|\w+) (?:weeks?|months?|years?)|in (?:the )?{_MONTH}|for now|afterwards)\b",
        r"\b(?:expect|hope|still have|still need|wait) to (?:decide|determine|figure out|find out|"
        r"settle|work out)\b",
        rf"\bdecide (?:on|about) [^.?!]{{2,40}}\b(?:in {_MONTH}|by {_DAY}|later|next)",
        r"\b(?:still|is|are|it's|remains?) (?:\w+ )?(?:an open question|undecided|unclear|unresolved|"
        r"unsettled|up in the air|to be determined|tbd|not clear|not decided|unknown)\b",
    ),
    likely=(
        r"\b(?:we|you) (?:need|have|got) to (?:decide|figure out|find out|work out|think about)\b",
        r"\bthe question is\b",
        r"\bwe(?:'ll| will) (?:have to|need to) (?:see|decide|find out|think|figure)\b",
    ),
    hints=(
        r"\bi (?:still )?(?:don't|do not) know (?:if|whether|how|what) (?:we|the|that|this)\b",
        r"\b(?:i'm|we're|i am|we are) (?:still )?not (?:quite |really |yet |entirely |too )?"
        r"(?:sure|clear|certain)\b",
        r"\bwe(?:'ll| will) (?:see|find out|know)\b",
        r"\bi wonder\b",
    ),
    never=(
        r"\b(?:see|know) you\b",
        r"\bi don't know (?:what|why|how|if) (?:you|i'm|i am|to say)\b",
        r"\blet's see\b",
    ),
    words="open unresolved unclear undecided decide determined know sure later remains",
)

_THING = (
    r"(?:problems?|issues?|difficult(?:y|ies)|challenges?|trouble|drawbacks?|downsides?|bottlenecks?|"
    r"obstacles?)"
)

_TROUBLE = _THING.replace("issues?|", "")

RISK = Cues(
    sure=(
        r"\b(?:risks?|risky|riskier|dangers?|dangerous|threat(?:s|en|ens|ened|ening)?|hazards?|perils?)\b",
        r"\b(?:worry|worries|worried|worrying|worrisome)\b",
        r"\b(?:concerns?|concerned|concerning) (?:is|was|are|were|that|about|with|over|for|me|us|here|of|"
        r"from|"
        r"regarding|if)\b",
        r"\b(?:a|an|any|my|our|the|one|another|other|some|big|main|biggest|real|major|only|serious|key|these|"
        r"their|"
        r"raise[sd]?|those|many|great|grave) concerns?\b",
        r"\b(?:afraid (?:of|that|we|it|they|he|she|the)|fear(?:s|ed)?|scared|nervous|anxious|frightened)\b",
        r"\b(?:the|our|my|another|bigger|biggest|main|real|only|serious|major|huge|a big|other|one) (?:\w+ )?"
        rf"{_TROUBLE} (?:is|was|are|were|with|of|that|in|here|there|we|for|when|because)\b",
        r"\b(?:problematic|vulnerable to|jeopard\w+|go(?:es|ing)? wrong|went wrong|headwinds?|pitfalls?)\b",
        r"\bif (?:\w+ ){1,6}(?:fails?|breaks?|sneezes?|collapses?|crash(?:es)?|stops?|floods?|dies|burns?|"
        r"goes down)\b",
    ),
    likely=(
        r"\b(?:a|an|the|big|bigger|major|have|has|had|having|got|more|be|cause[sd]?|are|is|been|face[sd]?) "
        rf"(?:\w+ )?{_THING}\b",
        r"\b(?:uncomfortable|comfortable is not|not (?:\w+ )?comfortable|not call it comfortable|shortages?|"
        r"uncertaint(?:y|ies)|too late)\b",
    ),
    hints=(
        rf"\b{_THING}\b",
        r"\b(?:struggl\w+|uncertain|tricky|exposure to|exposed to|disrupt\w*|delays?|unfortunately|pressure "
        r"on)\b",
    ),
    never=(
        rf"\b(?:not|n't)(?: \w+){{0,6}} (?:a|an|any|the) (?:\w+ )?(?:{_THING}|worry|concern|risk)\b",
        r"\b(?:not|n't) (?:\w+ )?(?:concerned|scared|nervous|anxious)\b",
        r"\b(?:no|not a|not an|isn't a|isn't an|without|never a|not the|solved the|solve this|no real|no big|"
        r"zero|have a|not be a)"
        rf" (?:\w+ )?(?:{_THING}|risks?|concerns?|worry|worries|danger|threat) (?:with (?:us|that|it|you)|at "
        r"all|for us)?",
        r"\b(?:no|not a|not an|isn't an?|without|never a|solved the|no real|no big|zero|n't any|not be a) "
        r"(?:\w+ )?"
        rf"(?:{_THING}|risks?|concerns?|worry|worries|danger|threat)\b",
        r"\b(?:don't|not to|do not|needn't|didn't|never|not|n't) (?:\w+ )?(?:worry|worrying|worried|be "
        r"afraid|afraid|be concerned)\b",
        r"\bas far as [^.?!]{1,40} (?:is|are|was|were|'s) concerned\b",
        r"\b(?:i'm|i am) afraid (?:i|not|so|that i)\b",
        r"\b(?:interesting|fun|nice|research|math|same) (?:problem|challenge)s?\b|\bthan (?:i|we) (?:had "
        r")?feared\b",
        r"\b(?:forward.looking|risk factors|safe harbou?r|10.?k|sec filings?|risks and uncertainties)\b.*",
        r"\b(?:issues? (?:of|number|on) (?:\w+ )?github|github issues?)\b",
        r"\brisks? (?:associated with|relating to|related to|and (?:other )?uncertaint\w+)|\bclimate "
        r"risks?\b",
        r"\brisk[ -](?:framework|strategy|adjusted|weighted|free|averse|management|manager|officer|committee|"
        r"oversight|"
        r"assessments?)\b",
        r"\b(?:the|that|this) (?:whole )?(?:issue|problem) (?:of|that we (?:talked|discussed))\b",
    ),
    words=(
        "risk risks danger dangerous threat worry worried concern concerns concerned afraid fear problem "
        "problems issue issues trouble challenge"
    ),
)

DISAGREEMENT = Cues(
    sure=(
        r"\b(?:i|we|i'd|he|she|they|would|to|must|strongly|respectfully|totally|completely|people|you) "
        r"(?:\w+ )?"
        r"(?:disagrees?|object to|beg to differ)\b",
        r"\b(?:i|we) (?:don't|do not|can't|cannot|wouldn't|didn't) (?:\w+ )?agree\b",
        r"\b(?:on the contrary|quite the opposite|i(?:'m| am) (?:\w+ )?(?:against|opposed to|not convinced)|"
        r"i doubt "
        r"(?:that|it|if|whether)|i object|we(?:'re| are) (?:against|opposed))\b",
        r"\b(?:disagreed|disagreement|disagreements)\b",
        r"\b(?:one|two|three|four|\d+) (?:votes? )?(?:against|opposed)\b",
        r"\bi (?:think|believe|would say) (?:you're|that's|it's|he's|she's|they're|you are) (?:\w+ "
        r")?(?:wrong|mistaken)\b",
    ),
    likely=(
        r"\b(?:that's|that is|this is|which is) (?:just |simply |absolutely |really |actually |quite "
        r")*(?:not (?:true|"
        r"right|correct|fair|how it|the case|accurate|a good idea)|wrong|nonsense|untrue|ridiculous|a bad "
        r"idea)\b",
        r"\bi (?:don't|do not|can't|cannot|wouldn't) (?:\w+ )?(?:think so|buy (?:that|it|this)|see it that "
        r"way)\b",
        r"\bit's not (?:fair|true|right) to say\b",
    ),
    hints=(r"\bi'm not (?:so |too |really )?sure (?:about|that|if)\b", r"\bwhy not\b"),
    replies=(
        r"^(?:(?:well|yeah|yes|ok|okay|hm+|mm|but|oh|uh|um|no)[ ,.]+)*no\b[ ,.!]+(?:no[ ,.!]+)*"
        r"(?:but|i (?:don't )?think|i don't|it's not|it isn't|that's not|we (?:don't|can't|shouldn't)|you "
        r"(?:don't|can't)|"
        r"they (?:don't|can't)|it doesn't|that doesn't)\b",
    ),
    never=(
        r"\b(?:not|n't|any of us|nobody|no one|few|hard to)(?: \w+){0,6} disagree\w*",
        r"\bno\W+(?:no\W+)*i think (?:that's|it's|that is|you're|so)\b",
        r"\bno,? (?:no )?problem\b",
        r"\bif you (?:disagree|don't agree)\b",
        r"\bagree to disagree\b",
    ),
    words="disagree agree wrong true against opposed objection convinced contrary doubt",
)

RECOMMENDATION = Cues(
    sure=(
        r"\b(?:i|we|i'd|we'd)(?: would| do| also| really| strongly| highly| like to| want to| wanted to)* "
        r"(?:recommend|suggest|advise|advocate|urge|encourage)\b"
        r"(?! that (?:it|the|there|he|they) (?:is|was|were|are|has|had)\b)",
        r"\b(?:recommend|suggest|advise|urge|encourage)(?:s|ed)? (?:that (?:we|you|they|the)|you|everyone|"
        r"people|using|"
        r"going|getting|having|we|them|us)\b",
        r"\b(?:i|we)(?:'d| would)? (?:like to )?propose\b",
        r"\b(?:my|our|one|another) (?:\w+ )?(?:recommendation|suggestion|advice|proposal|tip)s?\b",
        r"\bif (?:i|you|we) (?:were|was|ran|had|could|want)\b[^.?!]{0,50}\b(?:i|you|we)(?:'d| would| "
        r"should)\b",
        r"\byou (?:should|ought to|shouldn't)\b",
        r"\bi think (?:\w+ )?(?:we|they|people) (?:should|ought to|need to|must)\b",
        r"\bthe (?:best|right|smart|safest|easiest|simplest) (?:thing|way|option|approach|idea|solution|"
        r"choice|advice)\b"
        r"[^.?!]{0,40}\b(?:is|would be)\b",
        r"\b(?:maybe|perhaps) (?:we|you) (?:should|could|can)\b",
        r"\bwhy (?:don't|not) (?:we|you)\b|\bhow about (?:we|\w+ing)\b",
        r"\bi(?:'d| would)(?: have)? (?:\w+ )?(?:want (?:a|an|to|them|it)|rather|prefer|moved?|use|open|"
        r"opened|avoid|"
        r"choose|buy|build|definitely)\b",
    ),
    likely=(
        r"\b(?:we|people|everyone|companies|firms|somebody|someone) (?:really |also |just )?(?:should|ought "
        r"to|shouldn't)\b",
        r"\b(?:it (?:would|might|could|will) be|it'd be) (?:\w+ )?(?:better|best|good|wise|nice|great|useful|"
        r"helpful|"
        r"worth\w*|smart)\b",
        r"\b(?:better|best|worth|important) (?:to|off) (?:\w+ing|try|start|use|keep|make|have|do|take|go)\b",
        r"\byou (?:might )?want to\b",
        r"\bi(?:'d| would) (?:\w+ )?(?:start|go with|go for|take|keep|put|make|try)\b",
        r"\bwhat if (?:we|you)\b",
    ),
    hints=(
        r"\bwe could\b",
        r"\blet's\b",
        r"\byou(?:'ll| will)? (?:need to|have to|must|can)\b",
        r"\bmake sure\b",
        r"\bshould\b",
        r"\b(?:think about|consider|look at) \w+ing\b",
    ),
    never=(
        r"\bwhy don't (?:you|we) (?:tell|go|start|talk|hear|just go|move)\b|\bshould tell me\b",
        r"\b(?:should (?:be (?:able|fine|ok|okay|there|noted|good)|have (?:been|known|seen)|say|mention|i|we|"
        r"see|"
        r"probably (?:say|mention)|expect|think of)|should(?:n't)? be a problem)\b",
        r"\blet's (?:say|see|talk|start|face|call|get|look|move on|go (?:to|back|ahead)|take (?:a|our|the|"
        r"your)|turn)\b",
        r"\b(?:seems? to|data|results?|figures|evidence|that would|this would|studies|numbers|cautiously) "
        r"suggests?\b",
        r"\byou (?:want to (?:know|hear|say|talk|go|add|get|ask|come|make)|should (?:see|know|hear|have))\b",
        r"\b(?:if|whether|do|when|what|whatever|where|how|who|would|did|as|because|think|that|just|don't) "
        r"(?:\w+ )?you (?:might )?"
        r"want to\b",
        r"\b(?:what|how|who|where|when|why|which|whether|if) (?:\w+ )?(?:we|they|you) should\b",
        r"\b(?:that|which) (?:we|they) should have\b",
    ),
    words=(
        "recommend suggest suggestion advise advice propose should better best encourage ought rather maybe"
    ),
)

COMPLAINT = Cues(
    sure=(
        r"\bcomplain(?:s|ed|ing|t|ts)?\b",
        r"\b(?:annoy(?:ed|ing|s)|frustrat(?:ed|ing|ion|es)|irritat(?:ed|ing|es)|infuriat\w+|fed up|sick of|"
        r"tired of|"
        r"dissatisf\w+|unhappy|unacceptable|outrag\w+)\b",
    ),
    likely=(
        r"\b(?:i|we|you|people|they|customers|users|everyone|everybody|always|really) (?:\w+ )?(?:hates?|"
        r"dislikes?|"
        r"can't stand)\b",
        r"\b(?:disappoint(?:ed|ing|ment)|nightmare|unusable|useless|ridiculous|a mess)\b",
        r"\b(?:not|n't) (?:\w+ )?(?:happy|satisfied|pleased|good enough)\b",
        r"\b(?:it|that|this|which|they|phone|app|service|thing) (?:just |simply |still )?(?:does|do|"
        r"did)(?:n't| not) (?:\w+ )?"
        r"work\b(?! (?:with|for|on|at|in|there))",
        r"\b(?:kept|keeps?|left|still|been) (?:\w+ )?waiting\b",
        r"\b(?:nobody|no one) (?:\w+ )?(?:answer(?:s|ed)|call(?:s|ed)|replie[sd]|helped|told (?:me|us)|"
        r"respond\w*)\b",
        r"\b(?:my|our) money back\b|\brefund\b",
    ),
    hints=(
        r"\b(?:too|so) (?:slow|expensive|loud|noisy|late|long|difficult|hard|complicated|complex|small|big|"
        r"heavy|many)\b",
        r"\b(?:broken|bugs?|buggy|lost|stolen|gets? stuck|wears? out)\b",
        r"\b(?:awful|terrible|horrible|ugly|rubbish|a pain|painful)\b",
    ),
    never=(
        r"\b(?:can't|cannot|no|don't|not|wasn't|isn't|aren't|weren't) complain\w*",
        r"\bwithout complaint\b",
        r"\bnot aware of any \w+",
    ),
    words=(
        "complain complaint complaints complained complaining annoying frustrating frustrated frustration "
        "hate unhappy disappointed terrible broken waiting"
    ),
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
    "recommendation": RECOMMENDATION,
    "complaint": COMPLAINT,
}
