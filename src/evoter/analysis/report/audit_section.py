"""What an auditor needs of a report: settings, fingerprints, and the rules as text that can be read back."""

from hashlib import sha256
from importlib import import_module

from evoter.analysis.report.markup import details, escaped, section, table
from evoter.analysis.report.material import Material, shown_value
from evoter.rules.json_codec import dumps
from evoter.rules.model import RuleSet


def version() -> str:
    """Return the version of this package."""
    return str(import_module("evoter").__version__)  # also where the package runs without being installed


def model_hash(ruleset: RuleSet) -> str:
    """Return the SHA-256 of the JSON file that `evoter.save` writes."""
    return sha256(f"{dumps(ruleset)}\n".encode()).hexdigest()


def audit_section(material: Material) -> str:
    """Return settings, fingerprints of model and data, the version, and the rules as text."""
    prints = [("model, as evoter.save writes it", model_hash(material.ruleset))]
    if material.data_hash is not None:
        prints.append(("data file", material.data_hash))
    prints.append((f"{material.rows_called} and labels", material.sample.fingerprint))
    if material.train is not None:
        prints.append(("training rows and labels", material.train.fingerprint))
    hashes = table(
        ["of", "SHA-256"],
        [[what, f'<code class="hash">{escaped(digest)}</code>'] for what, digest in prints],
        caption="Fingerprints: what has the same one is the same",
    )
    text = f'<pre tabindex="0">{"<br>".join(map(escaped, str(material.ruleset).splitlines()))}</pre>'
    rules = details("The rules as text, from which evoter.parse makes the same model", text)
    return section("audit", "For the record", _settings(material), hashes, rules)


def _settings(material: Material) -> str:
    if not material.settings:
        return ""
    rows = [[escaped(name), f"<code>{escaped(shown_value(value))}</code>"] for name, value in material.settings.items()]
    return table(["setting", "value"], rows, caption=f"Settings; all others are the defaults of EVOTER {version()}")
