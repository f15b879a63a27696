import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from paylatch import models
from paylatch._json import decode, dump, parse, text_of


class JsonTest(unittest.TestCase):
    def test_keeps_amounts_exact(self) -> None:
        self.assertEqual(dump({"amount": Decimal("999999999999.99")}), b'{"amount": 999999999999.99}')
        self.assertEqual(dump(Decimal("12.00")), b"12")
        self.assertEqual(parse(b'{"amount": 0.1}'), {"amount": Decimal("0.1")})

    def test_refuses_values_that_are_not_json(self) -> None:
        for value in (float("nan"), Decimal("NaN"), datetime(2026, 11, 21), object()):
            with self.subTest(value), self.assertRaises((ValueError, TypeError)):
                dump(value)

    def test_writes_times_and_query_parameters(self) -> None:
        time = datetime(2026, 11, 21, 9, 0, 0, 123, tzinfo=timezone(timedelta(hours=1)))
        self.assertEqual(dump([time]), b'["2026-11-21T09:00:00.000123+01:00"]')
        self.assertEqual([text_of(value) for value in (True, 3, "a", ["a", 1], time)], ["true", "3", "a", "a,1", time.isoformat()])

    def test_decodes_models_with_unknown_and_missing_fields(self) -> None:
        item = decode(models.LineItem, {"name": "Cup", "unit_amount": 4, "new": True})
        self.assertEqual(item, models.LineItem(name="Cup", unit_amount=Decimal(4)))
        created = decode(models.CreateTransactionResponse, {"type": "new", "value": 1})
        self.assertEqual(created, models.Unknown(raw={"type": "new", "value": 1}))
