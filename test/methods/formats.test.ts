// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clabe } from 'clabe-validator';
import fc from 'fast-check';
import { parse } from 'promptparse';
import { QRPay } from 'vietnam-qr-pay';
import { formatMinor } from '../../src/shared/money.ts';
import { formatClabe, formatCnpj, formatNuban } from '../../src/methods/formats/accounts.ts';
import { formatPromptPayPayload } from '../../src/methods/formats/promptpay.ts';
import { formatUpiIntent } from '../../src/methods/formats/upi.ts';
import { formatVietQrPayload } from '../../src/methods/formats/vietqr.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const reference = fc.stringMatching(/^[A-Z0-9]{1,20}$/);
/** Amounts, including the smallest and largest. */
const minor = fc.oneof(fc.constantFrom(1n, 10n, 100n, 99_999_999n), fc.bigInt({ min: 1n, max: 9_999_999_999n }));

/** Parses an EMVCo payload by its specification (section 3.2): two-digit ID, two-digit length, value. */
function objectsOf(payload: string): Map<string, string> {
  const objects = new Map<string, string>();
  for (let at = 0; at < payload.length; ) {
    const length = Number(payload.slice(at + 2, at + 4));
    const id = payload.slice(at, at + 2);
    assert.ok(!objects.has(id), `${id} twice`);
    objects.set(id, payload.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return objects;
}

/** CRC of ISO/IEC 13239: polynomial 1021, initial value FFFF. */
function crcOf(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function assertMerchantPresented(payload: string, currency: string, country: string, amount: string) {
  const objects = objectsOf(payload);
  const ids = [...objects.keys()];
  assert.equal(ids[0], '00', 'the payload format comes first');
  assert.equal(ids.at(-1), '63', 'the checksum comes last');
  assert.equal(objects.get('01'), '12', 'for one payment');
  assert.equal(objects.get('53'), currency);
  assert.equal(objects.get('58'), country);
  assert.equal(objects.get('54'), amount);
  assert.equal(objects.get('63'), crcOf(payload.slice(0, -4)));
  return objects;
}

describe('QR code payloads', () => {
  test('of PromptPay have biller, amount in satang, reference and checksum, for independent parsers', () => {
    fc.assert(
      fc.property(digits(15), minor, reference, (billerId, amountMinor, ref) => {
        const amount = formatMinor(amountMinor, 2);
        const payload = formatPromptPayPayload({
          billerId,
          billerName: 'KETTLE AND CO',
          billerCity: 'BANGKOK',
          amountMinor,
          reference: ref,
        });
        const objects = assertMerchantPresented(payload, '764', 'TH', amount);
        const biller = objectsOf(objects.get('30') ?? '');
        assert.deepEqual([...biller.values()], ['A000000677010112', billerId, ref]);
        assert.deepEqual(
          [objects.get('52'), objects.get('59'), objects.get('60')],
          ['0000', 'KETTLE AND CO', 'BANGKOK'],
        );
        const read = new QRPay(payload);
        assert.deepEqual([read.isValid, read.amount, read.nation], [true, amount, 'TH']);
      }),
    );
  });

  test('of VietQR have bank, account, amount in đồng, reference and checksum, for independent parsers', () => {
    fc.assert(
      fc.property(digits(6), digits(10), minor, reference, (bankBin, accountNumber, amountMinor, ref) => {
        const amount = String(amountMinor);
        const payload = formatVietQrPayload({
          ...{ bankBin, accountNumber, amountMinor, reference: ref },
          merchantName: 'KETTLE AND CO',
          merchantCity: 'HANOI',
        });
        const objects = assertMerchantPresented(payload, '704', 'VN', amount);
        const napas = objectsOf(objects.get('38') ?? '');
        assert.deepEqual([napas.get('00'), napas.get('02')], ['A000000727', 'QRIBFTTA']);
        assert.deepEqual([...objectsOf(napas.get('01') ?? '').values()], [bankBin, accountNumber]);
        assert.equal(objectsOf(objects.get('62') ?? '').get('08'), ref);
        assert.deepEqual([objects.get('52'), objects.get('59'), objects.get('60')], ['0000', 'KETTLE AND CO', 'HANOI']);
        const read = parse(payload, true);
        assert.equal(read?.getTagValue('54'), amount);
      }),
    );
  });
});

test('a UPI deep link contains every parameter unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
      minor,
      reference,
      (payeeName, note, amountMinor, ref) => {
        const address = formatUpiIntent({
          payeeAddress: 'kettle@paylatch',
          payeeName,
          merchantCategory: '5719',
          reference: ref,
          transactionId: `T${ref}`,
          note,
          amountMinor,
          url: 'https://pay.example/p/1?a=b&c=d',
        });
        assert.match(address, /^upi:\/\/pay\?pa=kettle@paylatch&/);
        assert.ok(!address.includes('+'), 'a space is %20');
        const amount = formatMinor(amountMinor, 2);
        assert.deepEqual(Object.fromEntries(new URL(address).searchParams), {
          pa: 'kettle@paylatch',
          pn: payeeName,
          mc: '5719',
          tid: `T${ref}`,
          tr: ref,
          tn: note,
          am: amount,
          mam: amount,
          cu: 'INR',
          url: 'https://pay.example/p/1?a=b&c=d',
          mode: '05',
        });
      },
    ),
  );
});

describe('account numbers have correct check digits', () => {
  test('in Mexico', () => {
    fc.assert(
      fc.property(fc.constantFrom('002', '012', '072', '646'), digits(11), (bank, account) => {
        const number = formatClabe(bank, '180', account);
        assert.match(number, new RegExp(`^${bank}180${account}\\d$`));
        assert.equal(clabe.validate(number).ok, true, number);
      }),
    );
    // Published by Banco de México.
    assert.equal(formatClabe('032', '180', '00011835971'), '032180000118359719');
  });

  test('in Nigeria', () => {
    // The standard's example, and numbers published by banks.
    assert.equal(formatNuban('011', '000001457'), '0000014579');
    fc.assert(
      fc.property(fc.constantFrom('058', '044', '50515'), digits(9), (bank, serial) => {
        const number = formatNuban(bank, serial);
        assert.match(number, /^\d{10}$/);
        const institution = bank.length === 3 ? bank : `9${bank}`;
        const weights = [3, 7, 3];
        const sum = [...(institution + number)].reduce(
          (total, digit, index, all) =>
            total + Number(digit) * (index === all.length - 1 ? 1 : (weights[index % 3] ?? 0)),
          0,
        );
        assert.equal(sum % 10, 0, number);
      }),
    );
  });

  test('in Brazil', () => {
    // Banco do Brasil and Petrobras.
    assert.equal(formatCnpj('000000000001'), '00000000000191');
    assert.equal(formatCnpj('330001670001'), '33000167000101');
  });
});
