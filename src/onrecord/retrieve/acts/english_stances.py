"""By which words somebody warns, disagrees, recommends or complains in English, as it is spoken."""

from __future__ import annotations

from onrecord.retrieve.acts.cues import Cues

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
        r"from|regarding|if)\b",
        r"\b(?:a|an|any|my|our|the|one|another|other|some|big|main|biggest|real|major|only|serious|key|"
        r"these|their|raise[sd]?|those|many|great|grave) concerns?\b",
        r"\b(?:afraid (?:of|that|we|it|they|he|she|the)|fear(?:s|ed)?|scared|nervous|anxious|frightened)\b",
        r"\b(?:the|our|my|another|bigger|biggest|main|real|only|serious|major|huge|a big|other|one) (?:\w+ "
        rf")?{_TROUBLE} (?:is|was|are|were|with|of|that|in|here|there|we|for|when|because)\b",
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
        rf"(?:\bnot|n't|\bwithout|\bnever|\bno longer)(?: [\w']+){{0,5}} (?:{_THING}|worry|concerns?|risks?|"
        r"scared|afraid|vulnerable|danger\w*)\b(?: (?:to|of|about|with))?",
        r"\b(?:not|\w+n't) (?:\w+ ){0,2}(?:concerned|scared|nervous|anxious)\b|\bless (?:of a )?concern\b",
        r"\b(?:cost|costs|level|levels|profile|number) of (?:credit )?(?:risk|concern)s?\b|\blow.risk\b",
        r"\brisk (?:profile|regulatory|appetite|models?|premium|metrics?|limits?|control|policy|policies|and "
        r"exposure|screening)\b|\brisks?, uncertaint\w+.*|\bour concerns? (?:and|for)\b",
        r"\bnothing to (?:be )?(?:worr\w+|fear)|\b(?:likes?|loves?|enjoys?) (?:the|a) challenge\b",
        r"\bde-risk\w*|\brisk-?tak\w+|\brisk taker",
        r"\b(?:no|not a|not an|isn't a|isn't an|without|never a|not the|solved the|solve this|no real|no "
        rf"big|zero|have a|not be a) (?:\w+ )?(?:{_THING}|risks?|concerns?|worry|worries|danger|threat) "
        r"(?:with (?:us|that|it|you)|at all|for us)?",
        r"\b(?:no|not a|not an|isn't an?|without|never a|solved the|no real|no big|zero|n't any|not be a) "
        rf"(?:\w+ )?(?:{_THING}|risks?|concerns?|worry|worries|danger|threat)\b",
        r"\b(?:don't|not to|do not|needn't|didn't|never|not|n't) (?:\w+ )?(?:worry|worrying|worried|be "
        r"afraid|afraid|be concerned)\b",
        r"\bas far as [^.?!]{1,40} (?:is|are|was|were|'s) concerned\b",
        r"\b(?:i'm|i am) afraid (?:i|not|so|that i|it's an?|it is an?|it's not)\b",
        r"\b(?:interesting|fun|nice|research|math|same) (?:problem|challenge)s?\b|\bthan (?:i|we) (?:had "
        r")?feared\b",
        r"\b(?:forward.looking|risk factors|safe harbou?r|10.?k|sec filings?|risks and uncertainties)\b.*",
        r"\b(?:issues? (?:of|number|on) (?:\w+ )?github|github issues?)\b",
        r"\brisks? (?:associated with|relating to|related to|and (?:other )?uncertaint\w+)|\bclimate "
        r"risks?\b",
        r"\brisk[ -](?:framework|strategy|adjusted|weighted|free|averse|management|manager|officer|"
        r"committee|oversight|assessments?|reviews?)\b",
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
        r"(?:\w+ )?(?:disagrees?|object to|beg to differ)\b",
        r"\b(?:i|we) (?:don't|do not|can't|cannot|wouldn't|didn't) (?:\w+ )?agree\b",
        r"\b(?:on the contrary|quite the opposite|i(?:'m| am) (?:really |strongly |totally |very much |"
        r"still |also )?(?:against|opposed to|not convinced)|i doubt (?:that|it|if|whether)|i object|"
        r"we(?:'re| are) (?:against|opposed))\b(?! (?:the clock|time)\b)",
        r"\b(?:disagreed|disagreement|disagreements)\b",
        r"\b(?:one|two|three|four|\d+) (?:votes? )?(?:against|opposed)\b",
        r"\bi (?:think|believe|would say) (?:you're|that's|it's|he's|she's|they're|you are) (?:\w+ "
        r")?(?:wrong|mistaken)\b",
    ),
    likely=(
        r"(?:^|[,.;:!?-] |\b(?:and|but|no|yeah|well|think|because|so|oh|yes) )"
        r"(?:that's|that is|this is|which is) (?:just |simply |absolutely |really |actually |quite "
        r")*(?:not (?:true|right|correct|fair|how it|the case|accurate|a good idea)|wrong|nonsense|untrue|"
        r"ridiculous|a bad idea)\b",
        r"\bi (?:don't|do not|can't|cannot|wouldn't) (?:\w+ )?(?:think so|buy (?:that|it|this)|see it that "
        r"way)\b",
        r"\bit's not (?:fair|true|right) to say\b",
    ),
    hints=(r"\bi'm not (?:so |too |really )?sure (?:about|that|if)\b", r"\bwhy not\b"),
    replies=(
        r"^(?:(?:well|yeah|yes|ok|okay|hm+|mm|but|oh|uh|um|no)[ ,.]+)*no\b[ ,.!]+(?:no[ ,.!]+)*(?:but|i "
        r"(?:don't )?think|i don't|it's not|it isn't|that's not|we (?:don't|can't|shouldn't)|you (?:don't|"
        r"can't)|they (?:don't|can't)|it doesn't|that doesn't)\b",
    ),
    never=(
        r"\b(?:not|\w+n't|any of us|nobody|no one|few|hard to)(?: \w+){0,6} disagree\w*",
        r"\bnot (?:\w+ )?(?:against|opposed)\b|\bprobably that's wrong\b|\bthat is not true everywhere\b",
        r"\bthings? (?:that )?(?:i|you|they|people) (?:\w+ )?disagree",
        r"\bas much as i (?:don't agree|disagree)\b",
        r"\b(?:someone|somebody|people|they|engineers)(?:'s|'re| are| is)? (?:\w+ ){0,3}(?:say|says|saying|"
        r"like|goes?),? \"[^\"]*",
        r"\bno\W+(?:no\W+)*i think (?:that's|it's|that is|you're|so)\b",
        r"\bno,? (?:no )?problem\b",
        r"\bif you (?:disagree|don't agree)\b|\byou (?:could|can|may|might|would) disagree\b",
        r"\b(?:people|some|many|others) (?:\w+ )?disagree with me\b|\b(?:maybe|perhaps) that's wrong\b",
        r"\bagree to disagree\b",
    ),
    words="disagree agree wrong true against opposed objection convinced contrary doubt",
)

AGREEMENT = Cues(
    sure=(
        r"\bi (?:totally |completely |fully |absolutely |certainly |very much |also |quite |do |would "
        r")*agree\b",
        r"\bi(?:'d| would) (?:\w+ )?agree\b|\bcouldn't agree more\b|\bwe(?:'re| are)? (?:all |both "
        r")?agreed?\b",
        r"\b(?:you're|you are|he's|she's|they're|he is|she is|they are) (?:\w+ )?right\b(?! (?:now|here|"
        r"there))",
        r"\bi(?:'m| am) (?:\w+ )?with (?:you|him|her|them) on\b|\b(?:good|fair|excellent) point\b",
        *DISAGREEMENT.sure,
    ),
    likely=DISAGREEMENT.likely,
    hints=DISAGREEMENT.hints,
    replies=DISAGREEMENT.replies,
    never=(
        *DISAGREEMENT.never,
        r"\bif (?:i|you|we|they) agree\b|\b(?:that|which|what) we agreed\b",
        r"\bnot saying [^.?!]{0,20}\bright\b|\bright or wrong\b",
    ),
    words="agree agreed disagree right wrong point true against opposed",
)
"""Either side: whether two people agree is told by either."""

RECOMMENDATION = Cues(
    sure=(
        r"\b(?:i|we|i'd|we'd)(?: would| do| also| really| strongly| highly| like to| want to| wanted to)* "
        r"(?:recommend|suggest|advise|advocate|urge|encourage)\b(?! that (?:it|the|there|he|they) (?:is|was|"
        r"were|are|has|had)\b)",
        r"\b(?:recommend|suggest|advise|urge)(?:s|ed)? (?:that (?:we|you)|you|everyone|people|"
        r"using|going|getting|having|we|them|us)\b",
        r"\b(?:i|we)(?:'d| would)? (?:like to )?propose\b",
        r"\b(?:my|our|one|another) (?:\w+ )?(?:recommendation|suggestion|advice|proposal|tip)s?\b",
        r"\bif (?:i|you|we) (?:were|was|ran|had|could|want)\b[^.?!]{0,50}\b(?:i|you|we)(?:'d| would| should)"
        r"\b",
        r"\byou (?:should|ought to|shouldn't)\b",
        r"\bi think (?:\w+ )?(?:we|they|people) (?:should|ought to|need to|must)\b",
        r"\bthe (?:best|right|smart|safest|easiest|simplest) (?:thing|way|option|approach|idea|solution|"
        r"choice|advice)\b[^.?!]{0,40}\b(?:is|would be)\b",
        r"\b(?:maybe|perhaps) (?:we|you) (?:should|could)\b",
        r"\bwhy (?:don't|not) (?:we|you)\b|\bhow about (?:we|\w+ing)\b",
        r"\bi(?:'d| would)(?: have)? (?:\w+ )?(?:want (?:a|an|to|them|it)|rather|prefer|moved?|use|open|"
        r"opened|avoid|choose|buy|build|definitely(?! have))\b",
    ),
    likely=(
        r"\b(?:we|people|everyone|companies|firms|somebody|someone) (?:really |also |just )?(?:should|ought "
        r"to|shouldn't)\b",
        r"\b(?:it (?:would|might|could|will) be|it'd be) (?:\w+ )?(?:better|best|good|wise|nice|great|"
        r"useful|helpful|worth\w*|smart)\b",
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
        r"\b(?:perhaps|maybe) you (?:could|can) (?:just |also |please )?(?:provide|clarify|include|tell|give|"
        r"explain|outline|say|just|comment|share|describe|cover|at least|talk|speak|elaborate|update|walk|"
        r"remind|start|take|answer|touch)\b",
        r"\bbest.in.class\b|\badvise you to read\b|\bpropose,? in accordance with\b.*",
        r"\b(?:followed|follow|take|taken|your) (?:my|your) (?:suggestion|advice)\b",
        r"\b(?:when|if|whenever) (?:i|we|you|they) (?:\w+ )?(?:propose|suggest|recommend)\b",
        r"\btrying to suggest\b[^.?!]*|\b(?:that|this|it|which) suggests\b|\bdo (?:our|my|their|your) best\b",
        r"\bbest thing about\b|\bspend (?:a|some) (?:\w+ )?(?:minutes?|moments?|time) on\b",
        r"\brather (?:do|not)\b|\bbest way to (?:think|keep|describe|look at|put)\b[^.?!]*",
        r"\b(?:order|going|needed|trying|try|important|how|helps?) to (?:\w+ )?encourage\b",
        r"\bdoes (?:it|that|this) suggest\b|, i suggest\b(?=,|\W*$)|\bbest thing (?:that )?i can\b[^.?!]*",
        r"\bshould (?:land|come in|be (?:around|about|close to))\b",
        r"\b(?:helpful|useful|good|great|nice) to (?:hear|know|understand|get|see)\b|\bshould be back\b",
        r"\b(?:recommend|advise|urge|encourage) (?:you|our|all|that)? ?investors\b",
        r"\b(?:you|he|she|they) said\b[^.?!]{0,20} (?:you|we|they) (?:ought|should)\b",
        r"\bin accordance with\b.*|\b(?:suggest|propose) (?:that )?we (?:note|move|start|take)\b",
        r"\bwhy don't (?:you|we) (?:tell|go|start|talk|hear|just go|move)\b|\bshould tell me\b",
        r"\b(?:should (?:be (?:able|fine|ok|okay|there|noted|good)|have (?:been|known|seen)|say|mention|i|"
        r"we|see|probably (?:say|mention)|expect|think of)|should(?:n't)? be a problem)\b",
        r"\blet's (?:say|see|talk|start|face|call|get|look|move on|go (?:to|back|ahead)|take (?:a|our|the|"
        r"your)|turn)\b",
        r"\b(?:seems? to|data|results?|figures|evidence|that would|this would|studies|numbers|cautiously) "
        r"suggests?\b",
        r"\byou (?:want to (?:know|hear|say|talk|go|add|get|ask|come|make)|should (?:see|know|hear|have))\b",
        r"\b(?:if|whether|do|when|what|whatever|where|how|who|would|did|as|because|think|that|just|don't) "
        r"(?:\w+ )?you (?:might )?want to\b",
        r"\b(?:what|how|who|where|when|why|which|whether|if) (?:\w+ )?(?:we|they|you) should\b",
        r"\b(?:that|which) (?:we|they) should have\b|\bmaybe we should\W*$",
    ),
    words=(
        "recommend suggest suggestion advise advice propose should better best encourage ought rather maybe"
    ),
)

COMPLAINT = Cues(
    sure=(
        r"\bcomplain(?:s|ed|ing|t|ts)?\b",
        r"\b(?:annoy(?:ed|ing|s)|frustrat(?:ed|ing|ion|es)|irritat(?:ed|ing|es)|infuriat\w+|fed up|sick of|"
        r"tired of|dissatisf\w+|unhappy|unacceptable|outrag\w+)\b",
    ),
    likely=(
        r"\b(?:i|we|you|people|they|customers|users|everyone|everybody|always|really) (?:\w+ )?(?:hates?|"
        r"dislikes?|can't stand)\b",
        r"\b(?:disappoint(?:ed|ing|ment)|nightmare|unusable|useless|ridiculous|a mess)\b",
        r"\b(?:not|\w+n't) (?:\w+ )?(?:happy|satisfied|pleased|good enough)\b",
        r"\b(?:it|that|this|which|they|phone|app|service|thing) (?:just |simply |still )?(?:does|do|did)"
        r"(?:n't| not) (?:\w+ )?work\b(?! (?:with|for|on|at|in|there))",
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
        r"\b(?:\w+n't|cannot|no|not|never|apt to|wanna|want to) complain\w*|\bcomplain about everything\b",
        r"\b(?:can|could|might|may|would) (?:\w+ )?be annoying\b",
        r"\bare you (?:\w+ )?(?:disappointed|frustrated)\b",
        r"\bannoying people\b|\bdon't want to be (?:\w+ )?(?:annoyed|frustrated)\b",
        r"\bwithout complaint\b|\b(?:less|fewer) (?:\w+ )?complaints?\b",
        r"\b(?:happy or unhappy|unhappy person)\b|\b(?:will|would|'d|'ll) be (?:\w+ )?disappointed\b",
        r"\bsorry (?:to|for) (?:have kept|keep\w*)\b[^.?!]*",
        r"\bif (?:that|it|this)(?:'s| is) annoying\b|\b(?:name|ask) something\b[^.?!]*",
        r"\bnot aware of any \w+|\bi (?:really )?hate (?:to|using|saying)\b",
    ),
    words=(
        "complain complaint complaints complained complaining annoying frustrating frustrated frustration "
        "hate unhappy disappointed terrible broken waiting"
    ),
)
