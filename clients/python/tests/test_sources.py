"""The package as it is installed and published: types, generated code, style, and what the notebook does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import sightline

PACKAGE = Path(__file__).parent.parent
REPOSITORY = PACKAGE.parent.parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=PACKAGE, capture_output=True, text=True)  # noqa: S603


def test_the_types_of_the_api_are_current(tmp_path: Path) -> None:
    generated = tmp_path / "models.py"
    written = run("datamodel_code_generator", "--output", str(generated))
    assert written.returncode == 0, written.stderr
    committed = (PACKAGE / "src/sightline/models.py").read_text()
    assert committed == generated.read_text(), "npm run generate rewrites it"


def test_all_code_is_typed(tmp_path: Path) -> None:
    checked = run("mypy", "--cache-dir", str(Path(sys.prefix) / "mypy-cache"), "src", "tests")
    assert checked.returncode == 0, checked.stdout


def test_all_code_is_formatted_and_linted() -> None:
    for command in (("format", "--check"), ("check",)):
        checked = run("ruff", *command, "--no-cache", "--config", "pyproject.toml", ".", "../../docs/notebook.ipynb")
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_installed_package_has_types_a_license_and_the_version_of_the_product() -> None:
    installed = Path(sightline.__file__).parent
    assert PACKAGE not in installed.parents
    assert (installed / "py.typed").is_file()
    assert (PACKAGE / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()
    [version] = re.findall(r'^version = "(.*)"$', (PACKAGE / "pyproject.toml").read_text(), re.M)
    assert version == json.loads((REPOSITORY / "package.json").read_text())["version"]
