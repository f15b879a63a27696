// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { transactionListResponse } from '../../src/api/fiat-transaction.ts';
import {
  bodyChange,
  malformedTexts,
  codeText,
  hostileJson,
  invalidUtf8,
  jsonWithoutObject,
  malformedJson,
  nonTextValues,
  otherTypes,
  raw,
  unknownFieldNames,
  withField,
} from '../support/hostile.ts';
import { readProblem } from '../support/problems.ts';
import { type RawRequest, sendRaw } from '../support/raw-http.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { dumpRows, tableNames } from '../support/rows.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/*
 * Cases that the API document cannot describe: bytes, encodings, headers, URLs, and values with an invalid meaning.
 * test/api/contract.test.ts derives all others from the document, for every operation.
 */
const CVV = '947';

/** An endpoint that accepts a body, with a valid body. */
interface Endpoint {
  method: 'POST' | 'PATCH';
  path: () => string;
  token: () => string;
  valid: () => object;
}

const codes = [...codeText, 'x'.repeat(100), 'x'.repeat(30_000)];
const urls = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'data:text/html,<script>alert(1)</script>'],
  ...['vbscript:x', 'file:///etc/passwd', 'ftp://shop.example', '//shop.example/paid', '/paid', 'shop.example'],
  ...['https://', 'https://user:secret@shop.example/', 'https://user@shop.example/', '__proto__'],
  ...['https:/shop.example/paid', 'https:shop.example', 'https:\\\\shop.example'],
];
const enabled = { payment_method: 'qr_code', currency: 'THB', status: 'enable' };

describe('bad input', () => {
  let fixture: Fixture;
  let tables: string[];
  /** An unpaid transaction and its page. */
  let open: { reference: string; path: string; clientToken: string };

  before(async () => {
    fixture = await openFixture();
    tables = await tableNames(fixture.service().database);
    open = await createLink(fixture);
  });
  after(async () => await fixture.close());

  /** All rows, except token uses and refused changes of settings, which are recorded. */
  const contents = async () => {
    const { access_tokens: _uses, audit_entries: _refusals, ...dump } = await dumpRows(fixture.service().database);
    return dump;
  };
  /** A test whose requests are all refused: afterward nothing may have changed. */
  const testRefusals = (name: string, act: () => Promise<void>) => {
    test(name, async () => {
      const before = await contents();
      await act();
      assert.deepEqual(await contents(), before, 'stored data has changed');
    });
  };

  const merchant = () => fixture.merchant.token;
  const manager = () => fixture.merchant.managerToken;
  const client = () => open.clientToken;

  const create: Endpoint = {
    method: 'POST',
    path: () => '/fiat/v1/transaction',
    token: merchant,
    valid: () => creation(),
  };
  const submit: Endpoint = {
    ...{ method: 'POST', path: () => '/fiat/v1/transaction/submit', token: merchant },
    valid: () => submission(open.reference, cards.visa, { card_cvv: CVV }),
  };
  const setMethods: Endpoint = {
    ...{ method: 'PATCH', path: () => '/fiat/v1/merchant/payment-methods', token: manager },
    valid: () => ({ payment_methods: [enabled] }),
  };
  const setOne: Endpoint = {
    ...{ method: 'PATCH', path: () => '/v1/merchant/preferences', token: manager },
    valid: () => ({ key: 'min-confirmation-btc', value: '6' }),
  };
  const setSeveral: Endpoint = {
    ...{ method: 'POST', path: () => '/v1/merchant/preferences', token: manager },
    valid: () => ({ preferences: [{ key: 'restricted-country-list', value: '["TH"]' }] }),
  };
  /** The API document does not contain the requests of payers' pages. */
  const page = (name: string, body: object): Endpoint => {
    return { method: 'POST', path: () => `${open.path}/${name}`, token: client, valid: () => body };
  };
  const pages = [
    page('method', { payment_method: 'qr_code', choice: null }),
    page('locale', { locale: 'de' }),
    page('abandon', {}),
  ];
  const [method, locale] = pages as [Endpoint, Endpoint, Endpoint];

  /** Sends an invalid body, and asserts that it is refused for the right reason. */
  const refuse = async (endpoint: Endpoint, body: string, pointer: string | null, label: string) => {
    const response = await fixture.request(endpoint.path(), { method: endpoint.method, token: endpoint.token(), body });
    const problem = readProblem(response, label);
    assertNoCard(response.text, label);
    if (pointer !== null) {
      assert.equal(problem.code, 'validation_failed', `${label}: ${response.text}`);
      const pointers = (problem.errors ?? []).map((error) => error.pointer);
      assert.ok(pointers.includes(pointer), `${label}: names ${pointers.join(' ') || 'nothing'} and not ${pointer}`);
    }
    return problem;
  };

  /** By endpoint and pointer: the values that must be refused there. */
  const meanings: readonly [string, Endpoint, Readonly<Record<string, readonly unknown[]>>][] = [
    [
      'a creation',
      create,
      {
        payment_method: [...codes, 'CREDIT_CARD', 'credit_card ', 'upi', 'on_ramp_card'],
        amount: [raw('1e-7'), raw('5e-324'), raw('1e308'), 1.005, 10_000_000_000_000.01, 0.2],
        country: ['US', 'usa', 'XXX', 'ZZZ', 'USA '],
        currency: ['usd', 'XXX', 'BTC', 'USD '],
        success_redirect_url: urls,
        fail_redirect_url: urls,
        // Required for a link, which the document states only in words.
        ...Object.fromEntries(
          ['description', 'success_redirect_url', 'fail_redirect_url', 'type_of_calculation'].map((name) => [
            `${name} `,
            [undefined],
          ]),
        ),
      },
    ],
    [
      'a card',
      submit,
      {
        card_number: [
          ...[
            '',
            ' ',
            ...codeText,
            ...['4242424242424241', '4242 4242 4242', '42', '4242.4242.4242.4242', '0000000000000000'],
          ],
          ...['4242424242424242\u0000', '４２４２４２４２４２４２４２４２', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '42'.repeat(16)],
        ],
        card_expiry_month: ['0', '00', '13', '-1', '1.', 'ab', '1e', '٠٤'],
        card_expiry_year: ['2', '203', 'abcd', '-203', '20.3', '٢٠٣٠', '2020', '2099'],
        card_cvv: ['1', '12', '1234', 'abc', '12 ', '-12', '1e2', '１２３', '12\u0000'],
        country: ['GBR', 'gb', 'XX', 'G'],
        phone: [...codeText, 'call me', '1234', '+', '12345;ext=1'],
        email: [
          ...[...codeText, 'ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com'],
          'ada@example.com\r\nBcc: x@y.z',
        ],
      },
    ],
    [
      'payment methods',
      setMethods,
      {
        'payment_methods/0/payment_method': [...codes].map((code) => [{ ...enabled, payment_method: code }]),
        'payment_methods/0/fee_fix': [0.001, raw('1e300')].map((fee) => [{ ...enabled, fee_fix: fee }]),
        'payment_methods/0/fee_percent': [1.23456, raw('1e-7')].map((fee) => [{ ...enabled, fee_percent: fee }]),
      },
    ],
    [
      'one preference',
      setOne,
      {
        key: [...codes, 'min-confirmation', 'min-confirmation-', 'MIN-CONFIRMATION-BTC', 'min-confirmation-doge'],
        value: [
          ...[...nonTextValues.filter((value) => value !== null), ...malformedTexts, ...codes, -6, 1001, raw('1e-7')],
          ...[raw('9007199254740993'), '6.5', '0x6', '1e2', ' 6', '６'],
        ],
      },
    ],
    [
      'several preferences',
      setSeveral,
      {
        'preferences/1/key': [...codeText, 'restricted-country-list'].map((key) => [
          { key: 'restricted-country-list', value: '[]' },
          { key, value: true },
        ]),
        'preferences/1/value': [...malformedTexts, ...codeText, {}, [], 0, 1, 'yes', 'TRUE', 'x'.repeat(9000)].map(
          (value) => [
            { key: 'restricted-country-list', value: '[]' },
            { key: 'new-tx-manual-approve', value },
          ],
        ),
        'preferences/0/value': [
          ...[
            ...malformedTexts,
            ...codeText,
            {},
            ['Narnia'],
            true,
            5,
            ...['"TH"', '{}', '["TH"', '[1]', '[null]', '["__proto__"]'],
          ],
          ...['["XX"]', '["T"]', '["TH\u0000"]', `${'['.repeat(4000)}${']'.repeat(4000)}`],
          JSON.stringify(Array.from({ length: 501 }, () => 'TH')),
        ].map((value) => [{ key: 'restricted-country-list', value }]),
      },
    ],
    [
      'a method on the page',
      method,
      {
        payment_method: [undefined, '', 'x'.repeat(65), 1, null, {}, [], 'credit_card', 'unheard_of'],
        choice: ['x'.repeat(65), 1, {}, []],
      },
    ],
    [
      'a language of the page',
      locale,
      { locale: [undefined, '', 'x', 'x'.repeat(65), 1, null, {}, [], 'tlh', 'de_DE_DE'] },
    ],
  ];

  for (const [name, endpoint, wrong] of meanings) {
    for (const [place, values] of Object.entries(wrong)) {
      testRefusals(`${name}: an invalid ${place} is refused with its pointer (${values.length} values)`, async () => {
        const [field = ''] = place.trim().split('/');
        for (const value of values) {
          const body = hostileJson(withField(endpoint.valid(), field, value));
          await refuse(endpoint, body, `/${place.trim()}`, `${place} ${body.slice(0, 200)}`);
        }
      });
    }
  }

  testRefusals('unknown fields are refused by name, up to a limit', async () => {
    for (const endpoint of [create, ...pages]) {
      const valid = endpoint.valid();
      const strange = unknownFieldNames.reduce((body, unknown) => withField(body, unknown, 'a'), valid);
      const named = await refuse(endpoint, hostileJson(strange), null, 'strange names');
      assert.deepEqual(
        named.errors?.map(({ code }) => code),
        unknownFieldNames.map(() => 'unknown_field'),
      );
      await refuse(endpoint, hostileJson(withField(valid, cards.visa, CVV)), null, 'a card number as a field name');
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1]));
      const { errors = [] } = await refuse(endpoint, hostileJson({ ...valid, ...many }), null, 'five thousand fields');
      assert.ok(errors.length > 0 && errors.length <= 50);
    }
  });

  testRefusals('a body that is not a JSON object is refused', async () => {
    for (const endpoint of [submit, ...pages]) {
      const valid = hostileJson(endpoint.valid());
      for (const body of malformedJson(valid)) {
        const problem = await refuse(endpoint, body, null, JSON.stringify(body.slice(0, 60)));
        assert.equal(problem.code, 'malformed_json');
      }
      for (const body of jsonWithoutObject(valid)) await refuse(endpoint, body, '', body.slice(0, 60));
    }
  });

  test('the last value of a repeated field counts', async () => {
    const { reference } = await createLink(fixture);
    const valid = JSON.stringify(creation({ transaction_id: `twice-${reference}` }));
    const twice = await fixture.request('/fiat/v1/transaction', { body: `{"description":5,${valid.slice(1)}` });
    assert.equal(twice.status, 200, twice.text);
    await refuse(create, `${valid.slice(0, -1)},"description":5}`, '/description', 'twice');
  });

  testRefusals('thirty thousand levels of nesting are refused', async () => {
    const lists = '['.repeat(30_000) + ']'.repeat(30_000);
    for (const [endpoint, field, place] of [
      [create, 'transaction_id', '/transaction_id'],
      [setMethods, 'payment_methods', '/payment_methods/0'],
      [setOne, 'key', '/key'],
      [setSeveral, 'preferences', '/preferences/0'],
      [locale, 'locale', '/locale'],
    ] as const) {
      await refuse(endpoint, lists, '', 'nested lists');
      await refuse(endpoint, '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), '/a', 'nested objects');
      const { [field]: _given, ...others } = endpoint.valid() as Record<string, unknown>;
      const rest = Object.keys(others).length > 0 ? `,${JSON.stringify(others).slice(1)}` : '}';
      await refuse(endpoint, `{"${field}":${lists}${rest}`, place, `nested lists as ${field}`);
    }
  });

  testRefusals('invalid UTF-8, another Content-Type, and an oversized body are refused', async () => {
    for (const endpoint of [submit, setOne, locale]) {
      const valid = hostileJson(endpoint.valid());
      const send = async (body: RawRequest['body'] & {}, headers: Record<string, string>) => {
        const response = await sendRaw(fixture.url, {
          ...{ method: endpoint.method, path: endpoint.path(), body },
          headers: { authorization: `Bearer ${endpoint.token()}`, ...headers },
        });
        assertNoCard(response.text, 'raw');
        return readProblem(response, JSON.stringify(headers)).code;
      };
      const json = { 'content-type': 'application/json' };
      for (const each of invalidUtf8) {
        const spoiled = Buffer.concat([Buffer.from(`${valid.slice(0, -1)},"a":"`), each, Buffer.from('"}')]);
        assert.equal(await send(spoiled, json), 'malformed_json');
        assert.equal(await send(each, json), 'malformed_json');
      }
      assert.equal(await send(Buffer.from(`\ufeff${valid}`, 'utf16le'), json), 'malformed_json');
      assert.equal(await send('', json), 'malformed_json');
      for (const type of otherTypes)
        assert.equal(await send(valid, { 'content-type': type }), 'unsupported_media_type');
      assert.equal(await send(valid, {}), 'unsupported_media_type');
      // Ten megabytes, with and without Content-Length; and one byte too many.
      const pieces = Array.from({ length: 160 }, () => Buffer.alloc(64 * 1024, ' '));
      assert.equal(await send(Buffer.concat(pieces), json), 'body_too_large');
      assert.equal(await send(pieces, json), 'body_too_large');
      assert.equal(await send(valid.padEnd(64 * 1024 + 1), json), 'body_too_large');
    }
  });

  testRefusals('a query next to a body, and another method, are refused', async () => {
    for (const endpoint of [create, setOne, ...pages]) {
      const { method } = endpoint;
      const body = hostileJson(endpoint.valid());
      const query = await fixture.request(`${endpoint.path()}?currency=EUR`, { method, token: endpoint.token(), body });
      assert.equal(readProblem(query, 'query').errors?.[0]?.pointer, '?currency');
      for (const other of ['PUT', 'DELETE']) {
        const response = await fixture.request(endpoint.path(), { method: other, token: endpoint.token() });
        assert.equal(readProblem(response, other).code, 'method_not_allowed');
        assert.ok((response.headers.get('allow') ?? '').split(', ').includes(method));
      }
    }
  });

  test('randomly changed page requests are accepted, or refused without effect', async () => {
    for (const endpoint of pages) {
      await fc.assert(
        fc.asyncProperty(bodyChange, async (change) => {
          const before = await contents();
          const body = change(endpoint.valid());
          const response = await fixture.request(endpoint.path(), { method: 'POST', token: endpoint.token(), body });
          if (response.status === 200) return;
          readProblem(response, body);
          assert.deepEqual(await contents(), before, body);
        }),
        // Half of them change values.
        { numRuns: 50 },
      );
    }
  });

  test('a byte order mark before the JSON is ignored', async () => {
    const response = await fixture.request('/fiat/v1/transaction', { body: `\ufeff${JSON.stringify(creation())}` });
    assert.equal(response.status, 200);
  });

  testRefusals('a malformed year or month is reported at its own field', async () => {
    const reported = async (fields: Record<string, unknown>) => {
      const response = await fixture.request('/fiat/v1/transaction/submit', {
        body: submission(open.reference, cards.visa, fields),
      });
      return readProblem(response, JSON.stringify(fields)).errors?.map((error) => error.pointer);
    };
    assert.deepEqual(await reported({ card_expiry_year: 'abcd' }), ['/card_expiry_year']);
    assert.deepEqual(await reported({ card_expiry_month: 'ab' }), ['/card_expiry_month']);
    assert.deepEqual(await reported({ card_expiry_year: '2020' }), ['/card_expiry_year']);
    assert.deepEqual(await reported({ card_expiry_year: '2099' }), ['/card_expiry_year']);
  });

  testRefusals('a text that is too long is reported once, with its limit', async () => {
    const tooLong = async (length: number) => {
      const response = await fixture.request('/fiat/v1/transaction', {
        body: creation({ description: 'x'.repeat(length) }),
      });
      return readProblem(response, String(length)).errors;
    };
    for (const length of [256, 511, 5000]) {
      const detail = 'must have at most 255 characters';
      assert.deepEqual(await tooLong(length), [{ pointer: '/description', code: 'too_long', detail }]);
    }
  });

  describe('code as text', () => {
    test('in a reference and a description is stored and shown as text', async () => {
      for (const code of codeText) {
        const { reference, path } = await createLink(fixture, { transaction_id: `c ${code}`, description: code });
        const detail = await detailOf(fixture, reference);
        assert.equal(detail.transaction_id, `c ${code}`);
        assert.equal(detail.descriptions, code);
        const state = await fixture.request(`${path}/state`, { token: null });
        assert.equal(state.body.description, code);
        const page = await fixture.request(path, { token: null });
        assert.equal(page.status, 200);
        assert.doesNotMatch(page.text, /<script>alert|<img src=x|>49</);
      }
      assert.equal((await tableNames(fixture.service().database)).join(), tables.join());
    });

    test('in the name and the address of a payer has no effect', async () => {
      for (const code of codeText) {
        const { reference } = await createLink(fixture);
        const fields = { first_name: code, last_name: code, state: code, city: code, address: code };
        const response = await fixture.request('/fiat/v1/transaction/submit', {
          body: submission(reference, cards.visa, fields),
        });
        assert.equal(response.status, 200, response.text);
        assert.equal(response.body.response_type, 'confirmed');
      }
    });

    test('in a brand name is shown as text', async () => {
      const name = '<script>alert(1)</script>{{7*7}}';
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'brand-name', value: name } });
      const { path } = await createLink(fixture);
      const page = await fixture.request(path, { token: null });
      assert.doesNotMatch(page.text, /<script>alert/);
      assert.equal((await fixture.request(`${path}/state`, { token: null })).body.merchant.name, name);
    });

    test('in a redirect URL keeps its target, in a valid header', async () => {
      const addresses = [
        'https://shop.example/glück/支払い?q=ü&r=%C3%B6#oben',
        'https://shop.example/\'"<script>',
        'https://shop.example/a b\\c',
        'https://münchen.example/',
      ];
      for (const address of addresses) {
        const { reference, path } = await createLink(fixture, { success_redirect_url: address });
        await submitCard(fixture, reference);
        const response = await fixture.request(`${path}/return`, { token: null });
        assert.equal(response.status, 303, address);
        const location = response.headers.get('location') ?? '';
        assert.match(location, /^https:\/\/[\x21-\x7e]+$/, address);
        assert.equal(new URL(location).href, new URL(address).href);
      }
    });
  });

  describe('query parameters', () => {
    const list = '/fiat/v1/transactions';
    const detail = '/fiat/v1/transaction';
    const wrong: [string, string, string[]][] = [
      [list, 'order_direction', ['up', 'ASC', 'asc;', '__proto__', '%00', 'asc%20']],
      [list, 'order', ['id', 'Amount', 'amount_minor', '__proto__', 'constructor', "status'--", '1', '%ff']],
      [
        list,
        'page',
        ['0', '-1', '1.5', '1e3', 'NaN', 'abc', '01', '10001', '9999999999', '%00', '１', '+1', '0x1', '__proto__'],
      ],
      [list, 'per_page', ['0', '-1', '101', '1e1', 'all', '2.0', '99999999999999999999', '%F0%9F%98%80']],
      [
        list,
        'cursor',
        [
          'x',
          '%00',
          'bm90IGpzb24',
          ...[
            ...['null', '[]', '{}', '1', '["created_at","desc","a",1]', '["created_at","desc",1e400,1]'],
            ...['["created_at","desc",1]'],
          ].map(base64url),
          ...[
            '["created_at","asc",1,1]',
            '["amount","desc",1,1]',
            '["created_at","desc",1.5,1]',
            '["created_at","desc",1,"1"]',
          ].map(base64url),
          ...[
            '["created_at","desc",9007199254740993,1]',
            '["created_at","desc",{"a":1},1]',
            '["__proto__","desc",1,1]',
          ].map(base64url),
          'x'.repeat(600),
        ],
      ],
      [list, 'status', ['pending', 'transaction_status_', 'transaction_status_paid', '__proto__', '%00', "' or 1=1"]],
      [list, 'payment_method', ['%00', '%20', 'x'.repeat(65), 'a%0Ab', '%E2%80%A8']],
      ...['since', 'till'].map((name): [string, string, string[]] => [
        list,
        name,
        [
          ...['yesterday', '2026-13-01', '2026-02-30', '2026-1-1', '0000-00-00', '2026-01-01T25:00'],
          ...['2026-01-01T10:61:00Z', '2026-01-01T10:00:00+99:99', '2026-01-01T', '-1', '1e9', '1.5'],
          ...['123456789012', 'NaN', '%00', '__proto__', '２０２６-01-01', '2026-01-01%00', '10000-01-01'],
        ],
      ]),
      [detail, 'transaction_id', ['', '%00', 'a%00b', '%20', 'x'.repeat(65), 'a%0D%0Ab', '%C2%85', '%E2%80%A9']],
    ];

    for (const [path, name, values] of wrong) {
      testRefusals(`an invalid ${name} of GET ${path} is refused with its pointer`, async () => {
        for (const value of values) {
          const response = await sendRaw(fixture.url, {
            path: `${path}?${name}=${encodeURI(value).replaceAll('%25', '%')}`,
            headers: bearer(),
          });
          const problem = readProblem(response, `${name}=${value}`);
          assert.equal(problem.errors?.[0]?.pointer, `?${name}`, `${name}=${value}: ${response.text}`);
        }
      });
    }

    testRefusals('a repeated or unknown parameter is refused by name', async () => {
      for (const [path, query, pointer] of [
        [list, 'page=1&page=1', '?page'],
        [list, 'status=transaction_status_pending&status=transaction_status_failed', '?status'],
        [list, 'page=&page=1', '?page'],
        [list, 'pge=1', '?pge'],
        [list, 'page[]=1', '?page[]'],
        [list, '__proto__=1', '?__proto__'],
        [list, 'constructor=1', '?constructor'],
        [list, 'pge=', '?pge'],
        [list, 'toString', '?toString'],
        [detail, 'metadata[order]=', '?metadata'],
        [list, '=1', '?'],
        [list, '%00=1', '?\u0000'],
        [list, '%ff=1', '?\ufffd'],
        [detail, 'transaction_id=a&transaction_id=b', '?transaction_id'],
        [detail, 'transaction_id=a&txId=b', '?txId'],
        [detail, '__proto__[transaction_id]=a', '?transaction_id'],
        [detail, 'transaction_id[]=a', '?transaction_id'],
        [detail, '', '?transaction_id'],
        ['/v1/merchant/preferences', 'key=callback-url', '?key'],
      ] as const) {
        const response = await sendRaw(fixture.url, { path: `${path}?${query}`, headers: bearer() });
        const pointers = readProblem(response, query).errors?.map((error) => error.pointer) ?? [];
        assert.ok(pointers.includes(pointer), `${query}: ${pointers.join()}`);
      }
    });

    test('an empty parameter counts as omitted', async () => {
      const response = await fixture.request(`${list}?page=&status=&since=&cursor=`);
      assert.equal(response.status, 200);
      transactionListResponse.parse(response.body);
    });

    test('every time format is either accepted or refused, never a server error', async () => {
      const dates = ['2026-01-31', '2026-12-31', '9999-12-31', '0000-01-01', '0001-01-01', '2024-02-29', '2023-02-29'];
      const hours = [
        ...['', 'T00:00', 'T24:00', 'T23:59:60', 'T10:00:00.123456789', ' 10:00', ' 24:00', ' 10:00:00.5'],
        ...['T10:00:00.1'],
      ];
      const zones = ['', 'Z', '+00:00', '-12:00', '+0530', '+05:60', '+24:00', '-99:00', '+2359'];
      for (const date of dates) {
        for (const hour of hours) {
          for (const zone of zones) {
            const moment = encodeURIComponent(date + hour + zone);
            const response = await fixture.request(`${list}?since=${moment}&till=${moment}`);
            if (response.status !== 200) readProblem(response, date + hour + zone);
          }
        }
      }
    });
  });

  describe('URLs and headers', () => {
    const strange = [
      ...['%00', 'a%00b', '%ff', '%ed%a0%80', '%zz', '%', '..%2f..%2fetc%2fpasswd', '__proto__', 'constructor'],
      'x'.repeat(5000),
      "'--",
      '%E2%80%AE',
    ];

    testRefusals('impossible links and challenges are not found', async () => {
      for (const id of strange) {
        for (const path of [
          `/p/${id}`,
          `/p/${id}/state`,
          `/p/${id}/return`,
          `/sandbox/issuer/${id}`,
          `/assets/${id}`,
        ]) {
          const response = await sendRaw(fixture.url, { path });
          assert.equal(readProblem(response, path).status, 404, path);
        }
        const abandon = await sendRaw(fixture.url, {
          method: 'POST',
          path: `/p/${id}/abandon`,
          headers: { authorization: `Bearer ${open.clientToken}`, 'content-type': 'application/json' },
          body: '{}',
        });
        assert.equal(readProblem(abandon, `abandon ${id}`).status, 404);
        const issuer = await sendRaw(fixture.url, {
          method: 'POST',
          path: `/sandbox/issuer/${id}`,
          body: 'decision=approve',
        });
        assert.equal(readProblem(issuer, `issuer ${id}`).status, 404);
      }
    });

    test('an invalid decision on the issuer page is refused, and the challenge stays open', async () => {
      const { reference } = await createLink(fixture);
      const { body } = await submitCard(fixture, reference, cards.challenge);
      const path = new URL(body.redirect_url).pathname;
      const before = await contents();
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const text of [
        ...['', 'decision', 'decision=', 'decision=yes', 'decision=APPROVE', 'decision=approve%00'],
        ...['decision[]=approve', '{"decision":"approve"}', '__proto__=approve', '%', 'decision=\u0000'],
      ]) {
        const response = await sendRaw(fixture.url, { method: 'POST', path, headers: form, body: text });
        assert.equal(readProblem(response, text).errors?.[0]?.pointer, '/decision');
      }
      const large = await sendRaw(fixture.url, {
        method: 'POST',
        path,
        headers: form,
        body: Array.from({ length: 160 }, () => Buffer.alloc(65_536, 'a')),
      });
      assert.equal(readProblem(large, 'large').status, 413);
      const spoiled = await sendRaw(fixture.url, {
        method: 'POST',
        path,
        headers: form,
        body: Buffer.from([0x64, 0xff]),
      });
      assert.equal(readProblem(spoiled, 'spoiled').status, 400);
      assert.deepEqual(await contents(), before);
    });

    test('unusual headers on a page have no effect', async () => {
      const headers: Record<string, string>[] = [
        { 'accept-language': 'x'.repeat(8000) },
        { 'accept-language': '*;q=NaN,__proto__;q=1,constructor' },
        { 'accept-language': 'en;q=1e400,-;q=-1,;;;,,,' },
        { 'accept-language': 'th-TH-u-ca-\u00ff' },
        { accept: 'text/html;q=NaN' },
        { 'x-forwarded-for': "1.2.3.4, ' or 1=1, ::1, 999.1.1.1" },
        { 'x-forwarded-for': ','.repeat(4000) },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
        { cookie: '__proto__=1' },
        { range: 'bytes=0-' },
        { 'if-none-match': '*' },
        { 'accept-encoding': '__proto__, constructor;q=2, br;q=NaN' },
        { authorization: `Bearer ${'x'.repeat(8000)}` },
      ];
      for (const each of headers) {
        for (const path of [
          open.path,
          `${open.path}/state`,
          open.path.replace('/p/', '/e/'),
          '/texts/card/en',
          '/widget/v1/pay-form.js',
          '/icon.svg',
          '/nothing/here',
        ]) {
          const response = await sendRaw(fixture.url, { path, headers: each });
          assert.ok(response.status < 500, `${path} ${JSON.stringify(each).slice(0, 80)}: ${response.status}`);
          assert.doesNotMatch(response.text, /evil\.example/);
        }
      }
    });

    test('oversized headers and invalid hosts are refused', async () => {
      const large = await sendRaw(fixture.url, { path: open.path, headers: { 'x-large': 'x'.repeat(40_000) } });
      assert.equal(large.status, 431);
      for (const host of ['a b', 'a/b', '<script>', 'user@host', '\u00ff']) {
        const response = await sendRaw(fixture.url, { path: open.path, headers: { host } });
        assert.equal(response.status, 400, `host ${host}`);
      }
    });
  });

  const bearer = () => ({ authorization: `Bearer ${fixture.merchant.token}` });
});

function base64url(value: string): string {
  return Buffer.from(value).toString('base64url');
}

/** Asserts that a response contains neither card number nor security code. */
function assertNoCard(result: string, label: string): void {
  assert.doesNotMatch(result, /4[\s-]?242[\s-]?4242[\s-]?4242/, `${label}: the response repeats the card number`);
  assert.doesNotMatch(
    result,
    new RegExp(`(?<![\\w-])${CVV}(?![\\w-])`),
    `${label}: the response repeats the security code`,
  );
}
