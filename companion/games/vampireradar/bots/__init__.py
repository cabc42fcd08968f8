"""VampireRader's bots, from greedy to tree search."""
