"""The same in French, without its accents."""

from __future__ import annotations

from onrecord.retrieve.acts.cues import Cues

_FAIRE = (
    r"(?:appeler|apporter|chercher|commander|contacter|corriger|demander|donner|ecrire|envoyer|faire|"
    r"fournir|finir|lancer|mettre|modifier|occuper|organiser|parler|partager|planifier|preparer|prendre|"
    r"prevenir|proposer|rappeler|rediger|regarder|relancer|rencontrer|rendre|revenir|soumettre|tester|"
    r"transmettre|trouver|verifier|voir|m'occuper|m'en occuper|m'en charger|vous envoyer|t'envoyer|leur "
    r"envoyer|lui envoyer)\b"
)
_JOUR = (
    r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|ce soir|midi|la semaine prochaine|la "
    r"fin d\w+|le \w+|fin \w+|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|"
    r"decembre)\b"
)
_DECIDE = (
    r"(?:decidee?s?|convenue?s?|actee?s?|adoptee?s?|votee?s?|validee?s?|entendue?s?|approuvee?s?|tranchee?s?)"
)

DECISION = Cues(
    sure=(
        r"\b(?:on|nous|ils|le conseil|le comite|la commission|l'equipe)(?: avons| avait| avions| a| ont)? "
        r"(?:tous |donc |aussi |bien |enfin )*(?:decide|convenus?|acte|choisi|vote|tranche|opte|retenu|"
        r"valide|approuve)\b",
        rf"\bc'est (?:donc |bien )?{_DECIDE}\b",
        rf"\b(?:a|ont) ete (?:\w+ )?(?:{_DECIDE}|retenue?s?)\b",
        r"\b(?:motion|proposition|resolution|deliberation|amendement|texte) (?:est |a ete )?(?:adopte|"
        r"rejete|approuve|accepte|retire|vote)e?\b",
        r"\bon (?:part|partira|reste|va partir|est parti|va rester) (?:donc )?sur\b",
        r"\b(?:on|nous) (?:est|sommes) (?:tous )?d'accord (?:pour|sur)\b",
        r"\bj'ai decide\b|\bla decision (?:est|a ete) (?:prise|de)\b|\b(?:on|nous) (?:a|avons) pris la "
        r"decision\b",
        r"\b(?:\w+) (?:voix )?pour\b[^.?!]{0,15}\b\w+ (?:voix )?contre\b",
    ),
    likely=(
        r"\bon va (?:donc )?(?:faire comme ca|prendre|garder|choisir|retenir)\b",
        r"\bpas d'objections?\b|\badopte a l'unanimite\b",
    ),
    hints=(r"\bdecision\b", r"\b(?:donc|alors|bon) (?:on|nous) (?:va|allons|fait|faisons)\b"),
    never=(
        r"\b(?:si|quand|avant que?|pas encore|pas|jamais|a|reste a|ce qu'|ce que|que|dont) (?:l'|on |nous |"
        r"c'est |ils )?(?:\w+ )?(?:decide[rs]?|tranche[rs]?)\b",
        r"\bprise de decisions?\b",
    ),
    words=(
        "décidé décidons convenu adopté adoptée voté validé décision retenu choisi unanimité acté approuvé"
    ),
)

TASK = Cues(
    sure=(
        rf"\bje (?:vais|dois) (?:\w+ )?{_FAIRE}",
        r"\bje (?:m'en occupe|m'en charge|m'engage|te l'envoie|vous l'envoie|vous enverrai|t'enverrai|"
        r"m'occupe de|me charge de|ferai|verrai|enverrai|preparerai|appellerai|verifierai)\b",
        r"\b(?:peux-tu|pouvez-vous|tu peux|vous pouvez|pourrais-tu|pourriez-vous|tu pourrais|vous pourriez)"
        rf" (?:\w+ )?{_FAIRE}",
        r"\b(?:il faut|il faudra|il faudrait|faut) (?:que (?:tu|vous|\w+) |absolument |encore "
        rf")?[^.?!]{{0,60}}\b(?:avant|d'ici|pour) {_JOUR}",
        rf"\b(?:tu|vous) (?:dois|devez|devras|devrez|vas|allez) (?:\w+ )?{_FAIRE}",
        r"\b(?:merci de|veuillez|n'oublie(?:z)? pas de|pense(?:z)? a) \w+(?:er|ir|re)\b",
        r"\b(?:chargee?s? de|responsable de)\b",
    ),
    likely=(rf"\b(?:on|nous) (?:doit|devons|va devoir|allons devoir) (?:\w+ )?{_FAIRE}",),
    hints=(rf"\b(?:il faut|il faudra) (?:\w+ )?{_FAIRE}", rf"\b(?:avant|d'ici) {_JOUR}"),
    never=(
        r"\bje vais (?:vous |te |commencer|parler|dire|essayer|passer|vous parler|vous presenter|vous "
        r"donner|etre|prendre (?:un|la|une)|donner un|revenir sur|faire (?:court|vite|une parenthese))"
        r"(?!envoyer|appeler)",
        r"\bfaire chaud\b",
        r"\b(?:peux-tu|pouvez-vous|pourriez-vous) (?:me|nous) (?:donner|dire|rappeler|parler|montrer)\b",
    ),
    words="occupe charge dois faut envoyer enverrai préparer avant merci action tâche",
)

PROMISE = Cues(
    sure=(
        r"\b(?:je|nous|on) (?:\w+ )?(?:promets|promettons|promet|m'engage|nous engageons|s'engage|garantis|"
        r"garantissons)\b",
        r"\b(?:j'ai|nous avons|on a) (?:\w+ )?(?:promis|garanti)\b",
        *TASK.sure[:2],
        r"\b(?:nous|on) (?:voulons|comptons|prevoyons|allons|prevoit|compte)\b[^.?!]{3,80}\b(?:en|d'ici|"
        r"avant) \w+",
    ),
    likely=(r"\b(?:nous|on) (?:comptons|prevoyons de|avons l'intention|prevoit de|compte)\b",),
    hints=(r"\b(?:nous allons|on va|nous voulons)\b",),
    never=TASK.never,
    words="promets promis engage engageons garantis prévoyons comptons allons vais",
)

RELAYED = Cues(
    sure=(
        r"\b(?:auditeur|auditrice|internaute|spectateur|quelqu'un|salle|public)\b[^.?!]{0,40}\b(?:demande|"
        r"voudrait savoir)\b",
    ),
)

QUESTION = Cues(
    sure=(
        r"(?:^|[.,;:] )(?:(?:et|mais|alors|donc|bon|euh|ou|ok)(?: ?,)? ?)*(?:qui|que|qu'|quoi|quand|ou|"
        r"comment|combien|pourquoi|quel(?:le)?s?|est-ce|a quel\w*|de quel\w*|en quoi|sur quoi|"
        r"\w+-(?:t-)?(?:il|elle|on|vous|tu|ils|elles|nous|ce))\b[^?]*\?",
        r"\b\w+-(?:t-)?(?:il|elle|on|vous|tu|ils|elles|nous)\b[^?.]*\?",
        r"\bje me demande (?:si|comment|pourquoi|ce que|quand)\b|\b(?:ma|une autre|la) question (?:est|"
        r"porte|concerne)\b",
        *RELAYED.sure,
    ),
    likely=(r"[\w')\"] ?\?$",),
    hints=(
        r"^(?:(?:et|mais|alors) )*(?:est-ce qu|pourquoi |comment |combien |quel\w* (?:est|sont))[^.?!]*$",
    ),
    never=(
        r"(?:^|[\s,])(?:hein|non|oui|ok|d'accord|n'est-ce pas|vous voyez|tu vois|pas vrai|pardon|comment|"
        r"quoi|vous savez|c'est ca|voila) ?\?$",
        r"\b(?:ca va|comment allez-vous|vous m'entendez|d'autres questions|des questions|la question "
        r"suivante)\b",
    ),
    words="question demande pourquoi comment combien savoir",
)

OPEN = Cues(
    sure=(
        r"\b(?:question|point|sujet)s? (?:reste\w*|est|sont|encore) (?:\w+ )?(?:ouverte?s?|en suspens|a "
        r"trancher)\b",
        r"\b(?:reste|restent|reste encore) a (?:\w+ )?(?:voir|decider|trancher|definir|determiner|regler|"
        r"savoir)\b",
        r"\b(?:on|nous) (?:ne )?(?:sait|savons) pas (?:encore|si|comment|quand|ce|qui)\b",
        r"\b(?:pas encore|n'avons pas|n'a pas) (?:\w+ )?(?:decide|tranche|fixe|defini|regle)\b",
        r"\b(?:on|nous) (?:\w+ )?(?:verra|verrons|decidera|deciderons|reviendra|reviendrons|en reparle|en "
        r"reparlera|en reparlerons)\b",
        r"\b(?:en suspens|pas clair|a determiner|a definir|a confirmer)\b",
    ),
    hints=(r"\bje ne sais pas (?:si|comment|quand)\b", r"\bpas (?:sur|certain)e? que\b", r"\bon verra\b"),
    words="suspens reste ouverte savons décider trancher verra définir confirmer",
)

_PROBLEME = r"(?:problemes?|difficultes?|soucis?|obstacles?|inconvenients?|ennuis?)"

RISK = Cues(
    sure=(
        r"\b(?:risques?|risquons|risquent|dangers?|dangereu\w+|menaces?|menacent|perils?)\b",
        r"\b(?:inquiet\w*|crai(?:ns|nt|ndre|ndrait|gn\w+)|craintes?|redout\w+|peur)\b",
        rf"\b(?:le|un|les|notre|nos|gros|grand|principal|vrai|seul|autre|des) (?:\w+ )?{_PROBLEME}\b",
        r"\bsi (?:\w+ ){1,6}(?:ferme|casse|tombe|s'arrete|lache|brule|echoue|manque)\b",
    ),
    likely=(r"\b(?:preoccup\w+|trop tard|vulnerable\w*|fragile\w*|penuries?|incertitudes?)\b",),
    hints=(rf"\b{_PROBLEME}\b", r"\b(?:difficile|complique|malheureusement|retards?)\b"),
    never=(
        rf"\b(?:pas de|aucun|sans|pas un) (?:\w+ )?(?:{_PROBLEME}|risques?|dangers?|inquietude)\b",
        r"\b(?:n'ayez|n'aie|pas) (?:pas )?peur\b|\bne (?:vous |t')?inquiet\w+ pas\b",
    ),
    words=(
        "risque risques danger menace inquiet inquiète inquiétude crainte craint craignaient craignent "
        "peur problème problèmes difficulté difficultés souci"
    ),
)

DISAGREEMENT = Cues(
    sure=(
        r"\b(?:je|nous|on) (?:ne )?(?:suis|sommes|est) pas (?:du tout |vraiment |tout a fait )?d'accord\b",
        r"\b(?:pas d'accord avec|en desaccord|desaccords?|au contraire|je m'oppose|je suis contre|nous "
        r"sommes contre|je m'inscris en faux|objection)\b",
        r"\b(?:une?|deux|trois|quatre) (?:voix )?contre\b",
    ),
    likely=(
        r"\bje (?:ne )?(?:crois|pense) pas\b",
        r"\b(?:c'est faux|ce n'est pas vrai|c'est pas vrai|vous avez tort|tu as tort|ce n'est pas exact)\b",
    ),
    replies=(
        r"^(?:oui|bon|ben|euh|non|si)[ ,.]+(?:\w+[ ,]+)?(?:mais|non)\b",
        r"^(?:mais|non) (?:je|il|ce|c'est|on|vous|nous)\b",
    ),
    never=(r"\bnon,? (?:pas de|aucun) probleme\b",),
    words="accord désaccord contraire contre faux tort crois objection",
)

AGREEMENT = Cues(
    sure=(
        r"\b(?:je suis|nous sommes|on est) (?:\w+ |tout a fait )?d'accord\b",
        r"\b(?:vous avez|tu as|\w+ a) (?:\w+ )?raison\b|\bje partage (?:votre|ton|son|cet) avis\b",
        *DISAGREEMENT.sure,
    ),
    likely=DISAGREEMENT.likely,
    replies=DISAGREEMENT.replies,
    words="accord désaccord raison avis contraire contre faux tort",
)

RECOMMENDATION = Cues(
    sure=(
        r"\b(?:je|j'|nous|on) ?(?:\w+ )?(?:recommand|conseill|sugger|propos|preconis|encourag)(?:e|ons|"
        r"erais|erions|ez)\b",
        r"\b(?:recommand|conseill|sugger|propos|preconis)(?:e|ent|ons) (?:de|d'|que|a|aux|au)\b",
        r"\b(?:mon|notre|un|ma|une) (?:\w+ )?(?:conseil|recommandation|suggestion|proposition)\b(?! "
        r"(?:municipal|general|regional|d'administration|communautaire))",
        r"\b(?:vous devriez|tu devrais|on devrait|nous devrions|il vaut mieux|il vaudrait mieux|mieux vaut|"
        r"le mieux)\b",
        r"\bsi j'etais\b|\ba (?:votre|ta) place\b|\bpourquoi ne pas\b",
    ),
    likely=(r"\b(?:il faudrait|ce serait (?:bien|mieux|utile)|on pourrait|nous pourrions)\b",),
    hints=(r"\bil faut\b", r"\bpensez a\b"),
    words="recommande conseille suggère propose préconise devrait devriez mieux conseil",
)

COMPLAINT = Cues(
    sure=(
        r"\b(?:se plaign\w+|se plaint|plaintes?|me plains|reproch\w+|ras-le-bol|marre|inadmissible|"
        r"scandaleu\w+)\b",
        r"\b(?:agace\w*|enerv\w+|frustr\w+|insupportable|inacceptable|decu\w*|decevant\w*|mecontent\w*)\b",
    ),
    likely=(
        r"\b(?:ne marche pas|marche pas|ne fonctionne pas|deteste\w*|pas content\w*|pas satisfait\w*)\b",
    ),
    hints=(
        rf"\b{_PROBLEME}\b",
        r"\btrop (?:lent|cher|tard|long|bruyant|complique|petit)\w*\b",
        r"\b(?:bruit|panne|casse)\b",
    ),
    words="plaint plaignent plainte plaintes reproche marre agacé frustré déçu bruit",
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
