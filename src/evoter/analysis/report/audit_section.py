"""What an auditor needs of a report: settings and fingerprints."""

from hashlib import sha256

from evoter.analysis.report.material import Material, setting_text
from evoter.rules.json_codec import dumps
from evoter.rules.model import RuleSet


def model_hash(ruleset: RuleSet) -> str:
    """Return the SHA-256 of the JSON file that `evoter.save` writes."""
    return sha256(f"{dumps(ruleset)}\n".encode()).hexdigest()


def fingerprints(material: Material) -> list[tuple[str, str]]:
    """Return the fingerprints of the model and of the data, each after what it is the fingerprint of."""
    prints = [("model, as evoter.save writes it", model_hash(material.ruleset))]
    if material.data_hash is not None:
        prints.append(("data file", material.data_hash))
    prints.append((f"{material.rows_called} and labels", material.sample.fingerprint))
    if material.train is not None:
        prints.append(("training rows and labels", material.train.fingerprint))
    return prints


def shown_settings(material: Material) -> list[tuple[str, str]]:
    """Return the settings that the model was made with, by name."""
    return [(name, setting_text(value)) for name, value in material.settings.items()]
