"""In which words a question asks for decisions, tasks, questions, risks, ... English, then French.

A pattern is of plain lower case (see `Asked.low`); its only capturing groups are those of who does it.
"""

from __future__ import annotations

GROUP = (
    r"(?:they|we|i|you|people|everyone|everybody|anyone|anybody|someone|somebody|each(?: of them| person)?|"
    r"(?:(?:the|our|their|your|all|all the|most|other) )?(?:committee|council|board|group|team|meeting|"
    r"panel|members?|management|company|speakers?|guests?|hosts?|participants?|audience|analysts?|"
    r"listeners?|viewers?|callers?|investors?|shareholders?|journalists?|reporters?|public|customers?|"
    r"users?|clients?|residents?|patients?|employees|staff|colleagues|attendees|others|executives)|ils|"
    r"elles|on|nous|vous|(?:l'|le |la |les |des )?(?:comite|conseil|equipe|groupe|reunion|public|direction|"
    r"participants?|auditeurs?|invites?|analystes?|clients?|usagers?|utilisateurs?|habitants?|gens|membres?|"
    r"salle))"
)
OFFICE = (
    r"(?:ceo|cfo|coo|cto|pdg|chief \w+ officer|chief executive|finance chief|(?:vice )?president|chair(?:man|"
    r"woman|person)?|minister|mayor|director|(?:project )?manager|hosts?|guests?|moderator|"
    r"directeur(?: \w+)?|directrice(?: \w+)?|animateur|animatrice|invites?|ministre|maire)"
)
"""What somebody may be asked as."""
_WHO = r"([\w.'-]+(?: [\w.'-]+){0,3}?)"
_WHOM = rf"({GROUP}|[\w.'-]+)"
"""Who does it, before a verb; and where nothing follows that tells how many words it has."""
_TOLD = (
    r"(?:mentioned|raised|discussed|named|identified|brought up|pointed out|described|expressed|voiced|"
    r"listed|seen|talked about|highlighted|there|come up|addressed)"
)
_TELL = (
    r"(?:mention|raise|discuss|name|identify|bring up|point out|describe|express|voice|list|see|talk about|"
    r"highlight|address|warn (?:of|about)|report|speak (?:of|about))"
)
_LIST = (
    r"(?:(?:please |can you |could you )*(?:list|name|show(?: me)?|give(?: me)?|tell me|summari[sz]e|what "
    r"(?:are|were|is|was)|which (?:are|were)|were there|was there|are there|is there|any|did (?:they|anyone|"
    r"somebody|anybody) (?:raise|have|make|take|mention|express))\b(?: me)?(?: (?:all|any|of|the|their|our|"
    r"your|his|her|its|every|main|key|biggest|most|important|major|of|some|there))*)"
)
_LISTE = (
    r"(?:(?:liste[rz]?|donne[rz]?(?:-moi)?|montre[rz]?(?:-moi)?|resume[rz]?|quel(?:le)?s (?:sont|etaient|"
    r"ont ete|furent)|y a-t-il(?: eu)?|est-ce qu'il y a(?: eu)?)(?: (?:tou(?:te)?s|les|des|d'|leurs|"
    r"principa\w+|de))*)"
)
_WERE = r"(?:were|was|are|is|have been|has been|had been|got|get)"
_RISK = (
    r"(?:risks?|dangers?|threats?|concerns?|worr(?:y|ies)|problems?|issues?|challenges?|difficulties|"
    r"difficulty|obstacles?|fears?|drawbacks?|weaknesses)"
)
_SEVERAL = (
    r"(?:risks|dangers|threats|concerns|worries|problems|issues|challenges|difficulties|obstacles|fears|"
    r"drawbacks|weaknesses)"
)
_RISKS = rf"{_RISK}(?: (?:and|or) {_RISK})?"
_RISQUES = (
    r"(?:risques?|dangers?|menaces?|inquietudes?|craintes?|problemes?|difficultes?|soucis?|obstacles?|"
    r"preoccupations?)"
)
_BY = rf"(?: (?:that |which )?{_WHO} (?:has |have |had )?"
"""Who did it, before the verb and a closing bracket: "the risks that Halden named"."""
_ADJ = r"(?:\w+ )?"
_BE = r"(?:is|are|was|were)"
_DID = r"(?:did|do|does|would|has|have|had)"
_OF = r"(?: (?:about|on|of|over|with|in|to|regarding|as|upon))?"

FRAMES: dict[str, tuple[str, ...]] = {
    "decision": (
        r"who (?:has |have )?decided (?:on )?what\b|qui a decide (?:de )?quoi",
        rf"what(?:'s| {_WERE}| else {_WERE})(?: \w+)? (?:decided|agreed(?: (?:on|upon))?|resolved|approved|"
        r"settled)\b",
        rf"what {_DID} {_WHO} (?:\w+ly )?(?:decide|agree|settle|resolve|vote)d?(?: (?:to do|on|upon|about|"
        r"for))?\b",
        rf"(?:what|which)(?: (?:the|all|any|their|final|key|main))* decisions? (?:{_WERE}|{_DID}(?: they| "
        r"we)?)(?: there)?(?: (?:made|taken|reached|make|take|reach|come to))?",
        rf"{_LIST} (?:decisions|resolutions)(?: (?:made|taken|reached|{_WERE} (?:made|taken)))?"
        rf"{_BY}(?:made|took|taken|reached))?",
        r"what (?:was|is) (?:the|their) (?:\w+ )?decisions?\b",
        r"(?:was|were|is|has) (?:anything|something|there anything)(?: \w+)? (?:decided|agreed|resolved|"
        r"settled)",
        rf"did {_WHO} (?:decide|agree on) (?:on )?(?:anything|something)",
        r"qu'est-ce qu(?:i a|i fut|'on a|'ils ont|e \w+ a)(?: ete)? (?:decide|convenu|acte|arrete|adopte|"
        r"valide|vote|approuve|retenu)e?s?",
        r"(?:qu'a-t-on|qu'ont-ils|qu'a-t-il ete|qu'avons-nous) (?:decide|convenu|acte|adopte|vote)",
        rf"qu'(?:a|ont) (?:decide|adopte|vote) {_WHOM}",
        r"quel(?:le)?s? (?:\w+ )?decisions? (?:ont|a|ont-ils|a-t-on|avons-nous)(?:-elles?)?(?: ete)? "
        r"(?:prise?s?|adoptee?s?)",
        rf"{_LISTE} decisions?(?: prises)?",
        r"sur quoi (?:se sont-ils|s'est-on|sont-ils) (?:mis )?(?:d'accord|entendus)",
    ),
    "task": (
        rf"{_LIST} (?:action (?:items?|points?)|to-?dos?|to do list|next steps?|follow-?ups?|(?:assigned "
        r")?tasks|assignments)",
        r"(?:what|which) (?:action (?:items?|points?)|tasks?|assignments|next steps|homework|to-?dos?) "
        rf"(?:{_WERE}|{_DID}|came|come|do|does)(?: {_WHO})?? (?:assigned|given|agreed(?: on)?|set|"
        r"distributed|have|has|get|got|take on|taken on|out of|there|left|up)",
        r"who (?:has|have|had|is|was|needs|must|should|will|does|did|is going|is supposed|is to|agreed|"
        r"promised)(?: going| supposed)?(?: to)?(?: do| doing| done| responsible for| in charge of)? what\b",
        rf"what {_BE} {_WHO} (?:supposed|expected|asked|meant|going|assigned|told|required|responsible|to)"
        r"(?: to)?(?: do| for)",
        rf"what {_DID} {_WHO} (?:have|need|agree|offer|volunteer|got)(?: got)? to do(?: next)?\b",
        rf"what (?:must|should) {_WHO} do(?: next)?$",
        r"what (?:is left|remains|needs|has|have|is there|still needs|do we have|must)(?: left)?(?: to)?(?: "
        r"be)? (?:do|done)\b",
        r"what tasks? (?:\w+ ){0,2}(?:assigned|given)",
        r"qui (?:doit|devra|va|fait|devait) (?:faire )?quoi",
        r"qui (?:est responsable|se charge|s'occupe) de quoi",
        rf"{_LISTE} (?:actions?|taches?|prochaines etapes|choses)(?: (?:a (?:mener|faire|realiser|"
        r"entreprendre)|reparties|attribuees))?",
        rf"(?:que|qu'est-ce que) (?:doit|devra|va|doivent) faire {_WHOM}",
        rf"qu'est-ce (?:que |qu'){_WHO} (?:doit|devra|doivent) faire",
        r"(?:que|qu'est-ce qu'il) reste(?:-t-il)? a faire",
    ),
    "promise": (
        r"who (?:has |have )?(?:promised|pledged|committed to) (?:to do )?what\b|qui a promis quoi",
        rf"what {_DID} {_WHO} (?:promise|commit to|pledge|undertake|guarantee|vow|committed to|promised)(?: "
        r"to do)?\b",
        rf"what {_WERE} (?:promised|pledged)\b",
        rf"(?:what|which) (?:promises|commitments|pledges) (?:{_WERE}|{_DID})(?:(?: {_WHO})?? (?:made|make|"
        r"given|give))?",
        rf"{_LIST} (?:promises|commitments|pledges)(?: made)?{_BY}(?:made|given|gave))?",
        rf"(?:qu'a|qu'ont|que) (?:promis|promet|promettent|garantit) {_WHOM}",
        rf"qu'est-ce (?:que |qu'){_WHO} (?:a promis|promet|ont promis)",
        r"quel(?:le)?s (?:promesses|engagements) (?:ont|a|ont-ils|a-t-on)(?: ete)? (?:faite?s|prise?s|"
        r"faites|pris)",
    ),
    "open": (
        r"(?:what|which|any) (?:\w+ )?(?:questions?|issues?|points?|matters?|things?|topics?|items?)"
        rf"(?: {_BE}| remain\w*| stay\w*)(?: still)?(?: left)? (?:open|unanswered|unresolved|undecided|"
        r"unsettled|pending|outstanding)",
        rf"what (?:{_BE}|remains?|remained|stays?)(?: still)?(?: left)? (?:open|unresolved|undecided|"
        r"unanswered|unsettled|outstanding)\b",
        rf"{_LIST} (?:open|unresolved|unanswered|outstanding) (?:questions?|issues?|points?|items?)",
        r"(?:what|which) (?:open|unresolved|unanswered|outstanding) (?:questions?|issues?|points?) "
        rf"(?:{_BE}|remain\w*)(?: there| left)?",
        r"quel(?:le)?s (?:questions?|points?|sujets?) (?:restent|sont restee?s|sont|demeurent)(?: encore)? "
        r"(?:ouverte?s|en suspens|sans reponse|a trancher)",
        r"qu'est-ce qui (?:reste|est reste)(?: encore)? (?:ouvert|a decider|a trancher|en suspens)",
    ),
    "question": (
        r"who (?:has |have )?asked (?:for |about )?what\b|qui a demande quoi",
        rf"(?:what|which)(?: kinds? of| other)? questions? (?:(?:{_WERE}|{_DID}|came|come)(?: {_WHO})?? "
        r")?(?:asked|ask|raised|raise|put|posed|pose|have|there|up|from)\b",
        rf"what {_DID} {_WHO} (?:ask(?:ed)?(?: about)?|want(?:ed)? to know)\b",
        rf"{_LIST} questions?(?: (?:that )?(?:were |was )?(?:asked|raised|posed|put))?(?: by)?\b"
        rf"{_BY}(?:asked|raised|posed|put))?(?! (?:and|of whether|about))",
        r"quelles questions (?:ont(?: ete)?|a|ont-ils|a-t-on|pose|posent|sont)(?:-t-il|-t-elle|-elles|"
        rf"-ils)?(?:(?: {_WHO})??(?:-t-il|-t-elle)? posee?s?)?(?: {GROUP})?",
        rf"(?:qu'a|qu'ont|que) demande(?:nt)? {_WHOM}",
        rf"{_LISTE} questions(?: posees)?",
    ),
    "risk": (
        rf"(?:what|which) {_ADJ}{_RISKS} {_WERE} {_TOLD}\b",
        rf"(?:what|which) {_ADJ}{_RISKS} (?:came|come) up\b",
        rf"(?:what|which) {_ADJ}{_RISKS} {_DID} {_WHO} (?:{_TELL}|worry about)\b",
        rf"(?:what|which) {_ADJ}{_RISKS} {_DID} {GROUP} (?:have|face)\b",
        rf"{_LIST} {_SEVERAL}(?: (?:and|or) {_SEVERAL})?(?: (?:that |which )?(?:{_WERE} )?{_TOLD})?"
        rf"{_BY}(?:{_TOLD}|saw|warned (?:of|about)))?",
        rf"what {_BE} {_WHO} (?:most |so |particularly )?(?:worried|concerned|afraid|anxious|scared|nervous)"
        r"(?: about| of)?",
        rf"what (?:worr(?:y|ies|ied)|concern(?:s|ed)|scares?|scared) {_WHO}(?: most)?\b",
        rf"what {_DID} {_WHO} (?:fear|worry about|warn (?:of|about|against))\b",
        r"what (?:can|could|might|may) go wrong\b",
        rf"quel(?:le)?s? (?:\w+ )?{_RISQUES} (?:ont(?: ete)?|a-t-on|ont-ils|sont|a|ont-elles|y a-t-il)(?: "
        rf"ete)?(?:(?: {_WHO})?? (?:evoque|mentionne|cite|souleve|aborde|releve|voi[st]|identifie)"
        rf"\w*)?(?: {GROUP})?",
        rf"{_LISTE} {_RISQUES}(?: (?:evoques|mentionnes|cites|souleves))?",
        r"(?:de quoi|que|qu'est-ce qui) (?:s'inquiete(?:nt)?|inquiete|craint|craignent|redoute(?:nt)?)"
        rf"(?: {_WHOM})?",
    ),
    "disagreement": (
        rf"(?:what|where|on what|about what|how|why) {_DID} {_WHO} (?:disagree|differ|argue|clash)(?: "
        rf"with {_WHOM})?{_OF}",
        r"(?:did|does|do) (?:anyone|anybody|someone|somebody|they) (?:disagree|object)\b",
        r"who (?:disagree[sd]?|object(?:s|ed)?|opposed|was against)\b",
        rf"(?:{_LIST}|(?:what|which)(?: \w+)?) (?:disagreements?|objections?|controversies|points of "
        rf"contention)(?: (?:{_WERE} )?{_TOLD})?",
        r"sur quoi (?:ne )?(?:sont-ils|n'etaient-ils|ne sont-ils|etaient-ils|n'ont-ils) (?:pas )?(?:ete "
        r")?(?:en desaccord|d'accord)",
        r"qui (?:n'est|n'etait) pas d'accord|quel(?:le)?s? (?:desaccords?|objections?)(?: (?:ont|y)[\w -]*)?",
    ),
    "agreement": (
        rf"(?:do|did|does) {_WHO}(?: and {_WHO})? agree(?: with {_WHOM})?{_OF}$",
        rf"(?:do|did|does) {_WHO}(?: and {_WHO})? agree (?:on|about|that|with)\b",
        rf"est-ce (?:que |qu'){_WHO}(?: et {_WHO})? (?:est|sont|etait|etaient) d'accord(?: (?:sur|avec))?",
        rf"{_WHO} (?:est|sont|etait|etaient)-(?:il|elle|ils|elles) d'accord",
        r"(?:est-ce que|est-ce qu')? ?(?:sont|etaient|est|etait)-(?:ils|elles|il|elle) d'accord",
    ),
    "recommendation": (
        r"who (?:has |have )?(?:recommended|suggested|proposed|advised) what\b|"
        r"qui a (?:recommande|conseille|suggere|propose|preconise) quoi",
        rf"what {_DID} {_WHO} (?:recommend|suggest|advise|propose|advocate|urge)(?:ed|d)?(?: (?:to do|doing|"
        r"as))?\b",
        r"(?:what|which)(?: \w+)? (?:recommendations?|suggestions?|advice|proposals?|tips?) "
        rf"(?:{_WERE}|{_DID})(?:(?: {_WHO})?? (?:made|make|given|give|offered|offer|have|there))?",
        rf"{_LIST} (?:recommendations?|suggestions?|proposals?|advice|tips)(?: (?:made|given))?"
        rf"{_BY}(?:made|given|gave|offered|shared))?",
        rf"what {_WERE} (?:recommended|suggested|proposed|advised)\b",
        rf"what (?:is|was) {_WHO}(?:'s?) (?:advice|recommendation|suggestion|proposal)\b",
        r"que (?:recommande|conseille|suggere|propose|preconise)(?=-)",
        rf"(?:que|qu'a|qu'ont) (?:recommande|conseille|suggere|propose|preconise)(?:nt)? {_WHOM}",
        rf"qu'est-ce (?:que |qu'){_WHO} (?:a |ont )?(?:recommande|conseille|suggere|propose|preconise)"
        r"(?:nt)?",
        r"quel(?:le)?s (?:recommandations?|conseils?|suggestions?|propositions?) (?:ont|a|donne|donnent|"
        r"sont|fait|font)[\w' -]*?(?:faites?|donnee?s?|formulee?s?|$)",
    ),
    "complaint": (
        r"who (?:has |have )?complained(?: (?:about|of) what)?\b|qui s'est plaint(?: de quoi)?",
        rf"what {_DID} {_WHO} (?:complain(?:ed)?(?: about| of)?|dislike[sd]?|hate[sd]?|criticise[sd]?|"
        r"criticize[sd]?)\b",
        rf"(?:what|which)(?: \w+)? (?:complaints?|criticisms?|grievances) (?:{_WERE}|{_DID})"
        rf"(?:(?: {_WHO})?? (?:{_TOLD}|made|make|have))?",
        rf"{_LIST} (?:complaints?|criticisms?|grievances)(?: (?:made|raised))?"
        rf"{_BY}(?:made|had|raised|voiced|expressed|{_TOLD}))?",
        r"(?:did|does|do) (?:anyone|anybody|someone|somebody|they) complain\b",
        rf"de quoi (?:se plaint|se plaignent|s'est plaint|se sont plaints)(?: {_WHOM})?",
        r"quel(?:le)?s (?:plaintes?|reproches?|critiques?)[\w' -]*?(?:formulee?s?|faites?|exprimee?s?|$)|"
        rf"que reproche(?:nt)? {_WHOM}",
    ),
}

TRIGGERS: dict[str, str] = {
    "decision": r"decid|decis|agreed|resol|approved|settle|adopte|vote|convenu|acte|valide|d'accord|entendus",
    "task": r"action|next step|follow-?up|task|tache|assign|homework|to[ -]?dos?\b|(?:must|should) .* do|"
    r"\bdo(?:es|ing)? what|\bdone\b|for what|quoi|faire|etapes|choses",
    "promise": r"promis|promes|promet|commit|pledge|undertake|guarantee|vow|engagement|garantit",
    "open": r"open|unanswered|unresolved|undecided|unsettled|pending|outstanding|ouvert|suspens|reponse|"
    r"trancher|decider",
    "question": r"question|ask|want|demande",
    "risk": r"risk|danger|threat|concern|worr|problem|issue|challeng|difficult|obstacle|fear|drawback|"
    r"weakness|afraid|anxious|scare|nervous|warn|wrong|risque|menace|inquiet|craint|souci|preoccup|redout",
    "disagreement": r"disagree|differ|argue|clash|object|oppos|against|controvers|contention|desaccord|"
    r"d'accord",
    "agreement": r"\bagree\b|d'accord",
    "recommendation": r"recommend|suggest|advi[sc]e|propos|advocate|urge|tip|recommand|conseil|sugger|"
    r"preconis",
    "complaint": r"complain|dislike|hate|critici|grievance|plai[gn]|reproche|critique",
}
"""What a question has at least: its frames are only looked at where it has that."""
