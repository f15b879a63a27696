"""Client of the Paylatch API, and verification of its webhooks."""

from . import inputs, models
from ._json import OMIT
from ._version import VERSION as __version__
from .client import ClientCredentials, Paylatch
from .errors import FieldError, PaylatchError
from .receiver import MemoryStore, SqliteStore, StoredWebhook, WebhookReceiver, WebhookStore
from .webhooks import WebhookVerificationError, WebhookVerifier

__all__ = [
    "OMIT",
    "ClientCredentials",
    "FieldError",
    "MemoryStore",
    "Paylatch",
    "PaylatchError",
    "SqliteStore",
    "StoredWebhook",
    "WebhookReceiver",
    "WebhookStore",
    "WebhookVerificationError",
    "WebhookVerifier",
    "__version__",
    "inputs",
    "models",
]
