"""Check a content file's translations against its visible texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from msgspec import inspect

from companion.config import Language
from companion.core.content import TRANSLATABLE, ContentError, Path, unknown_name_error
from companion.core.text import shorten

LANGUAGES: tuple[str, ...] = get_args(Language)


def visible_texts(kind: inspect.Type, value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield the texts in `value` that people read, with their paths; skip invalid parts."""
    match kind, value:
        case inspect.Metadata(extra=more), str() if more == TRANSLATABLE:
            if value.strip():
                yield path, value
        case inspect.StructType(fields=fields), dict():
            for field in fields:
                if field.encode_name in value:
                    yield from visible_texts(
                        field.type, value[field.encode_name], (*path, field.encode_name)
                    )
        case inspect.UnionType(types=kinds), dict():
            for one in kinds:
                if isinstance(one, inspect.StructType) and value.get(str(one.tag_field)) == one.tag:
                    yield from visible_texts(one, value, path)
        case inspect.VarTupleType(item_type=item), list():
            for index, element in enumerate(value):
                yield from visible_texts(item, element, (*path, index))


def translation_errors(kind: inspect.Type, values: Mapping[str, Any]) -> Iterator[ContentError]:
    """Yield errors for unused translations: of texts not in the file, or in an unknown language."""
    words = {text for _, text in visible_texts(kind, dict(values))}
    for language, table in _tables(values):
        path: Path = ("translations", language)
        if language == values.get("language"):
            yield ContentError(path, "content.own_language", {"language": language})
        elif language not in LANGUAGES:
            params = {"found": shorten(language), "allowed": ", ".join(LANGUAGES)}
            yield unknown_name_error(path, "content.choice", params, language, LANGUAGES)
        for text in table:
            if text not in words:
                params = {"found": shorten(text)}
                yield unknown_name_error((*path, text), "content.no_words", params, text, words)


def translation_warnings(kind: inspect.Type, values: Mapping[str, Any]) -> Iterator[ContentError]:
    """Yield the texts that a language does not translate, each once."""
    first: dict[str, Path] = {}
    for path, text in visible_texts(kind, dict(values)):
        first.setdefault(text, path)
    for language, table in _tables(values):
        for text, path in first.items():
            if text not in table:
                yield ContentError(
                    path, "content.untranslated", {"language": language, "found": shorten(text)}
                )


def _tables(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    translations = values.get("translations", {})
    for language, table in translations.items() if isinstance(translations, dict) else ():
        if isinstance(table, dict):
            yield language, table
