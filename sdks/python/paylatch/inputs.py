# Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.
from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict, Union

from .models import CountryAlpha3, Currency, CountryAlpha2, PageLanguage, TransactionStatus, CryptoCurrencyCode, CryptoStatus, WithdrawalStatus, TokenScope, ProblemCode


class PayerInput(TypedDict):
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    # ISO 3166-1 alpha-2
    country: NotRequired[CountryAlpha2]
    # State, province or region of the billing address
    state: NotRequired[str]
    city: NotRequired[str]
    postcode: NotRequired[str]
    # Street address for billing
    address: NotRequired[str]
    # With the country code; spaces, periods, hyphens and parentheses are allowed
    phone: NotRequired[str]
    email: NotRequired[str]


class LineItemInput(TypedDict):
    name: str
    # 1 by default
    quantity: NotRequired[int]
    # Unit price, in the currency’s decimals; negative for a discount
    unit_amount: Decimal | float
    # An https:// URL of a square image, which the buyer’s browser loads without a referrer
    image_url: NotRequired[str]


class SubmitCardInputBrowser(TypedDict):
    """Helps the issuer approve the payment without a challenge"""

    # `User-Agent` header; required from your server
    user_agent: NotRequired[str]
    # `Accept` header; required from your server
    accept_header: NotRequired[str]
    # `navigator.language`
    language: str
    # `screen.colorDepth`
    color_depth: int
    # `screen.width`
    screen_width: int
    # `screen.height`
    screen_height: int
    # `new Date().getTimezoneOffset()`, in minutes
    time_zone_offset: int
    # `navigator.javaEnabled()`
    java_enabled: NotRequired[bool]
    # IP address of the payer; only for requests from your server
    ip_address: NotRequired[str]


class CustomAmountInput(TypedDict):
    minimum: Decimal | float
    maximum: Decimal | float
    # Prefilled amount
    suggested: NotRequired[Decimal | float | None]


class QuantityLimitsInput(TypedDict):
    minimum: int
    maximum: int


class SetPaymentMethodsInputPaymentMethod(TypedDict):
    payment_method: str
    # ISO 4217
    currency: Currency
    status: Literal["enable", "disable"]
    # In the currency’s own decimals
    fee_fix: NotRequired[Decimal | float]
    # Percentage of the amount, with at most 4 decimals
    fee_percent: NotRequired[Decimal | float]


class SetPreferencesInputPreference(TypedDict):
    # Such as `callback-url`
    key: str
    # A value of the key’s type, or its string form; lists also as a string that contains a JSON
    # array. null unsets the preference
    value: bool | Decimal | float | str | list[str] | None


class SetPreferencesSingularInputPreference(TypedDict):
    # Such as `callback-url`
    key: str
    # A value of the key’s type, or its string form; lists also as a string that contains a JSON
    # array. null unsets the preference
    value: bool | Decimal | float | str | list[str] | None


class AddAcquirerAccountInputRoute(TypedDict):
    payment_method: str
    # ISO 3166-1 alpha-3; all countries by default
    country: NotRequired[str]
    # ISO 4217; all currencies by default
    currency: NotRequired[str]
    # The account with the lowest number is tried first
    priority: NotRequired[int]


class UpdateAcquirerAccountInputRoute(TypedDict):
    payment_method: str
    # ISO 3166-1 alpha-3; all countries by default
    country: NotRequired[str]
    # ISO 4217; all currencies by default
    currency: NotRequired[str]
    # The account with the lowest number is tried first
    priority: NotRequired[int]
