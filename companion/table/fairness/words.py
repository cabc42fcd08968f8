"""Two lists of plain words, for the short form of a seal."""

ADJECTIVES = (
    "amber", "ashen", "bitter", "black", "blue", "bold", "brave", "brief", "bright", "broken",
    "calm", "chilly", "clear", "clever", "cold", "copper", "crooked", "dark", "deep", "distant",
    "dusty", "early", "empty", "fair", "faint", "fierce", "foggy", "frozen", "gentle", "golden",
    "grey", "hasty", "heavy", "hidden", "hollow", "humble", "icy", "idle", "iron", "ivory", "jolly",
    "keen", "late", "lonely", "lucky", "misty", "narrow", "noble", "old", "pale", "patient",
    "quiet", "rapid", "red", "rusty", "secret", "silent", "silver", "sleepy", "tall", "velvet",
    "violet", "wild", "young",
)  # fmt: skip

ANIMALS = (
    "ant", "badger", "bat", "bear", "beaver", "bee", "bison", "boar", "camel", "cat", "crab",
    "crane", "crow", "deer", "dog", "dove", "duck", "eagle", "eel", "elk", "falcon", "ferret",
    "finch", "fox", "frog", "goat", "goose", "hare", "hawk", "heron", "horse", "hound", "ibis",
    "jackal", "jay", "koala", "lark", "lion", "lizard", "lynx", "magpie", "mole", "moose", "moth",
    "mouse", "newt", "otter", "owl", "ox", "panda", "parrot", "pike", "rabbit", "ram", "raven",
    "robin", "salmon", "seal", "snail", "spider", "stork", "swan", "tiger", "wolf",
)  # fmt: skip
