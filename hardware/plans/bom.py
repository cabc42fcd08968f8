"""Build parts lists, with part numbers, alternatives and estimated prices."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator

from hardware.plans.circuit import Circuit, strip
from hardware.plans.source import PlanError, read_parts

COLUMNS = (
    "refs",
    "quantity",
    "needed",
    "what",
    "maker",
    "mpn",
    "alternative",
    "where",
    "eur_each",
    "eur_all",
    "estimated_on",
)


def parts_list(circuit: Circuit) -> str:
    """Return a build's parts list as CSV; prices are estimates, the last two lines are their
    sums: without what is optional, and all.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    rows = list(_rows(circuit))
    writer.writerows(rows)
    for words, counted in (
        ("of what is needed", [r for r in rows if r["needed"] == "yes"]),
        ("of everything", rows),
    ):
        total = sum(float(row["eur_all"]) for row in counted)
        words = f"estimate {words}, without tools"
        writer.writerow({"refs": "total", "what": words, "eur_all": f"{total:.2f}"})
    return out.getvalue()


def natural(ref: str) -> tuple[str, int]:
    """Return a sort key for references in natural order: C2 before C10."""
    match = re.fullmatch(r"([A-Z]+)(\d+)", ref)
    if match is None:
        raise PlanError(f"{ref!r} is no reference")
    return match[1], int(match[2])


def in_runs(refs: list[str]) -> str:
    """Return references as a list in which neighbours are joined: "C1-C6 C101"."""
    runs: list[list[str]] = []
    for ref in sorted(refs, key=natural):
        letters, number = natural(ref)
        if runs and natural(runs[-1][-1]) == (letters, number - 1):
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _rows(circuit: Circuit) -> Iterator[dict[str, str]]:
    parts = read_parts()
    by_kind: dict[str, list[str]] = defaultdict(list)
    for part in circuit.parts:
        if part.kind == "hole":
            continue
        by_kind[part.kind].append(part.ref)
    for kind, refs in sorted(by_kind.items(), key=lambda item: natural(min(item[1], key=natural))):
        if kind not in parts["kinds"]:
            raise PlanError(f"parts.toml does not know {kind}")
        entry = parts["kinds"][kind]
        yield _row(entry, in_runs(refs), len(refs), parts["estimated_on"])
    for entry in parts["also"]:
        if circuit.name in entry["builds"]:
            yield _row(entry, entry["refs"], entry["quantity"], parts["estimated_on"])


def _row(
    entry: dict[str, str | float | bool], refs: str, quantity: int, estimated_on: str
) -> dict[str, str]:
    each = float(entry["eur"])
    prices = {
        "eur_each": f"{each:.2f}",
        "eur_all": f"{each * quantity:.2f}",
        "estimated_on": estimated_on,
    }
    texts = {name: str(entry[name]) for name in ("what", "maker", "mpn", "alternative", "where")}
    needed = "no" if entry.get("optional") else "yes"
    return {"refs": refs, "quantity": str(quantity), "needed": needed, **texts, **prices}


FOOTPRINTS = {
    "hall": "SOT-23",
    "74HC165-SO": "SOIC-16",
    "plug": "JST S8B-PH-SM4-TB",
    "1k-0603": "0603",
    "10k-0603": "0603",
    "100n-0603": "0603",
    "10u-0805": "0805",
}


def strip_list() -> str:
    """Return what an assembler needs for one strip, with order numbers, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("Comment", "Designator", "Footprint", "Quantity", "Maker", "MPN", "LCSC", "Orders")
    )
    by_kind: dict[str, list[str]] = defaultdict(list)
    for part in strip(1):
        if part.kind in FOOTPRINTS:
            letters, number = natural(part.ref)
            by_kind[part.kind].append(f"{letters}{number - 100}")
    for kind, refs in by_kind.items():
        entry = read_parts()["kinds"][kind]
        orders = "; ".join(f"{shop} {number}" for shop, number in entry["orders"].items())
        refs.sort(key=natural)
        about = (",".join(refs), FOOTPRINTS[kind], len(refs), entry["maker"], entry["mpn"])
        numbers = (entry["orders"]["LCSC"], orders)
        writer.writerow((entry["what"].partition(",")[0], *about, *numbers))
    return out.getvalue()
