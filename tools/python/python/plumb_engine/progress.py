"""Progress of long work."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_bar(total: int, unit: str, is_shown: bool) -> Iterator[Callable[[int], object]]:
    """A function that shows the number of finished items. Without `tqdm` nothing is shown."""
    if not is_shown or importlib.util.find_spec("tqdm") is None:
        yield lambda done: None
        return
    with importlib.import_module("tqdm.auto").tqdm(total=total, unit=unit) as bar:
        yield lambda done: bar.update(done - bar.n)
