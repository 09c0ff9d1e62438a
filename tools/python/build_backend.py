"""The build backend: maturin, and in a source distribution also the sources of the programs, which maturin does not know of."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import IO, Any

import maturin
from maturin import (  # noqa: F401
    build_editable,
    build_wheel,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
# Folders that `build.rs` needs, relative to the repository.
SOURCES = ("protocol", "tools/arena", "tools/lab", "tools/studies", "tools/web/dist")


def build_sdist(directory: str, config_settings: Any = None) -> str:
    """Builds the source distribution; returns the name of its file."""
    name: str = maturin.build_sdist(directory, config_settings)
    archive = Path(directory, name)
    folder = name.removesuffix(".tar.gz")
    old = archive.rename(archive.with_suffix(".old"))
    with tarfile.open(old) as source, tarfile.open(archive, "w:gz") as target:
        for member in source:
            content: IO[bytes] | None = source.extractfile(member)
            if member.name == f"{folder}/pyproject.toml" and content is not None:
                # In the archive this file is at the root, so its paths need the folder.
                text = content.read().replace(b'data = "', b'data = "tools/python/')
                content, member.size = io.BytesIO(text), len(text)
            target.addfile(member, content)
        target.add(HERE / "build_backend.py", f"{folder}/build_backend.py")
        for path in SOURCES:
            target.add(HERE.parents[1] / path, f"{folder}/{path}", filter=_without_caches)
    old.unlink()
    return name


def _without_caches(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if Path(member.name).name in ("target", "__pycache__") else member
