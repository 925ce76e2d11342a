"""The texts whose vectors by sentence-transformers 6.2 (float32) are in reference.json, in this order."""

TEXTS = [
    "How long does the bread stay in the oven?",
    "Put the dough in a hot oven and bake the bread for an hour.",
    "Le navire a quitté le port à l'aube, avec quarante marins à bord.",
    "We raised prices by 3.5% in March; churn went from 1.1 to 1.4 percent (see slide #12), and then back.",
    "Well, the thing is, nobody had told the pilots that the light could also mean a broken bulb. " * 18,
]
