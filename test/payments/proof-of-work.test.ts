// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { solve } from '../../pages/checkout/store/proof-of-work.ts';
import type { ProofChallenge } from '../../src/api/challenge.ts';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { readProblem } from '../support/problems.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { type FixtureResponse, openFixture, type Fixture } from '../support/fixture.ts';

const LIMIT = 2;
const HARD_CAP = 5 * LIMIT;

/** Solves a challenge by its specification, independently of the page's code. */
function solveByHand({ seed, iterations, most, digest, token }: ProofChallenge): string {
  for (let number = 0; number < most; number += 1) {
    const derived = pbkdf2Sync(seed, String(number), iterations, 16, 'sha256').toString('base64url');
    if (derived === digest) return `${token}:${number}`;
  }
  throw new Error('There is no solution');
}

interface Page {
  reference: string;
  path: string;
  clientToken: string;
}

describe('a proof-of-work challenge', () => {
  let fixture: Fixture;
  let addresses = 0;
  /** A different address for each test. */
  let address = '';
  before(async () => {
    fixture = await openFixture({
      // A hundredth of the production value.
      challengeIterations: 50,
      env: { TRUSTED_PROXIES: 'loopback', LIMIT_SUBMIT_PER_HOUR: String(LIMIT), LIMIT_CARD_PER_HOUR: '40' },
    });
  });
  after(async () => await fixture.close());
  beforeEach(() => {
    addresses += 1;
    address = `198.51.100.${addresses}`;
  });

  const openPage = async (): Promise<Page> => {
    const body = creation();
    const created = await fixture.request('/fiat/v1/transaction', { body });
    const path = new URL(created.body.value.link).pathname;
    const state = await fixture.request(`${path}/state`, { token: null });
    return { reference: body.transaction_id, path, clientToken: state.body.clientToken };
  };
  const submit = async (page: Page, card: string, options: { proof?: string; from?: string } = {}) =>
    await fixture.request('/fiat/v1/transaction/submit', {
      token: page.clientToken,
      headers: {
        'x-forwarded-for': options.from ?? address,
        ...(options.proof !== undefined && { 'challenge-proof': options.proof }),
      },
      body: submission(page.reference, card),
    });
  /** Uses up the address's limit of card attempts. */
  const exhaust = async () => {
    for (let index = 0; index < LIMIT; index += 1)
      assert.equal((await submit(await openPage(), cards.declined)).status, 200);
  };
  const challengeOf = (response: FixtureResponse): ProofChallenge => {
    const { code, limit, challenge } = readProblem(response, 'challenged');
    assert.deepEqual([response.status, code, limit], [429, 'rate_limited', 'submit_address']);
    assert.ok(challenge, 'there is no challenge');
    return challenge;
  };
  /** Returns the counts of each result since the last call. */
  const counted: Record<string, number> = {};
  const results = async () => {
    const { text } = await fixture.request('/metrics', { token: null });
    const now = [...text.matchAll(/^paylatch_proof_challenges_total\{result="(\w+)"\} (\d+)$/gm)];
    const increases = now.flatMap(([, result = '', count]) => {
      const increase = Number(count) - (counted[result] ?? 0);
      counted[result] = Number(count);
      return increase > 0 ? [[result, increase] as const] : [];
    });
    return Object.fromEntries(increases);
  };

  test('comes with the rate limit problem; its solution allows a payment', async () => {
    await exhaust();
    await results();
    const page = await openPage();
    const refused = await submit(page, cards.visa);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const challenge = challengeOf(refused);
    assert.ok(challenge.most >= 100 && challenge.most <= 1000);
    assert.deepEqual(await results(), { issued: 1 });
    const paid = await submit(page, cards.visa, { proof: solveByHand(challenge) });
    assert.equal(paid.body.response_type, 'confirmed', paid.text);
    assert.deepEqual(await results(), { solved: 1 });
  });

  test('is solved by the page’s solver', async () => {
    await exhaust();
    const page = await openPage();
    const proof = await solve(challengeOf(await submit(page, cards.visa)));
    assert.equal((await submit(page, cards.visa, { proof })).body.response_type, 'confirmed');
  });

  test('allows one card, however often and concurrently its proof is sent', async () => {
    await exhaust();
    const page = await openPage();
    const proof = solveByHand(challengeOf(await submit(page, cards.declined)));
    assert.equal((await submit(page, cards.declined, { proof })).body.response_type, 'declined');
    await results();
    challengeOf(await submit(page, cards.visa, { proof }));
    assert.deepEqual(await results(), { reused: 1, issued: 1 });

    const [other, another] = [await openPage(), await fixture.another()];
    const fresh = solveByHand(challengeOf(await submit(other, cards.visa)));
    // In two processes that share the database.
    const { id } = await db(fixture.service().database)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('transaction_id', '=', other.reference)
      .executeTakeFirstOrThrow();
    const subject = { transactionId: id, address };
    const here = fixture.service();
    const accepted = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? here : another).payments.proofOfWork.verify(subject, fresh)),
    );
    await another.close();
    assert.equal(accepted.filter(Boolean).length, 1);
  });

  test('is bound to its payment and IP address', async () => {
    await exhaust();
    const page = await openPage();
    const proof = solveByHand(challengeOf(await submit(page, cards.visa)));
    await results();
    challengeOf(await submit(await openPage(), cards.visa, { proof }));
    const elsewhere = address;
    addresses += 1;
    address = `198.51.100.${addresses}`;
    await exhaust();
    challengeOf(await submit(page, cards.visa, { proof }));
    assert.deepEqual(await results(), { invalid: 2, issued: 2 });
    assert.equal((await submit(page, cards.visa, { proof, from: elsewhere })).body.response_type, 'confirmed');
  });

  test('expires after five minutes', async () => {
    await exhaust();
    const [early, late] = [await openPage(), await openPage()];
    const proofs = [early, late].map(async (page) => solveByHand(challengeOf(await submit(page, cards.visa))));
    const [first, second] = await Promise.all(proofs);
    await fixture.advance(5 * MINUTE - SECOND);
    const paid = await submit(early, cards.visa, { proof: first ?? '' });
    assert.equal(paid.body.response_type, 'confirmed', paid.text);
    await fixture.advance(SECOND);
    await results();
    challengeOf(await submit(late, cards.visa, { proof: second ?? '' }));
    assert.deepEqual(await results(), { expired: 1, issued: 1 });
  });

  test('is refused when the challenge or its proof was altered', async () => {
    await exhaust();
    const page = await openPage();
    const proof = solveByHand(challengeOf(await submit(page, cards.visa)));
    const { proofOfWork } = fixture.service().payments;
    const { id } = await db(fixture.service().database)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('transaction_id', '=', page.reference)
      .executeTakeFirstOrThrow();
    const subject = { transactionId: id, address };
    const [token = '', number = ''] = proof.split(':');
    const changed = fc.oneof(
      fc
        .tuple(fc.nat(proof.length - 1), fc.constantFrom(...'AZaz09_-.:'))
        .map(([at, character]) => proof.slice(0, at) + character + proof.slice(at + 1)),
      fc.nat(proof.length - 1).map((length) => proof.slice(0, length)),
      fc.integer({ min: 0, max: 999_999 }).map((other) => `${token}:${other}`),
      fc.constantFrom('', ':', number, token, `${proof}0`, `${proof}:${number}`, `0x${number}`, ` ${proof}`),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      // Leading zeros do not change a number.
      fc.asyncProperty(changed, async (other) => {
        fc.pre(other.replace(/:0*(?=\d)/, ':') !== proof);
        assert.equal(await proofOfWork.verify(subject, other), false, other);
      }),
      { numRuns: 300 },
    );
    challengeOf(await submit(page, cards.visa, { proof: `${token}:${(Number(number) + 1) % 600}` }));
    assert.equal((await submit(page, cards.visa, { proof })).body.response_type, 'confirmed');
  });

  test('grows with the number of attempts, and is not issued at five times the limit', async () => {
    await exhaust();
    const work: number[] = [];
    for (let index = LIMIT; index < HARD_CAP; index += 1) {
      const page = await openPage();
      const challenge = challengeOf(await submit(page, cards.declined));
      work.push(challenge.most);
      const response = await submit(page, cards.declined, { proof: solveByHand(challenge) });
      assert.equal(response.body.response_type, 'declined', response.text);
    }
    assert.deepEqual(
      work,
      work.toSorted((a, b) => a - b),
    );
    assert.equal(work.at(-1), 4 * (work[0] ?? 0));
    await results();
    const page = await openPage();
    const refused = await submit(page, cards.visa);
    const problem = readProblem(refused, 'capped');
    assert.deepEqual([refused.status, problem.limit, problem.challenge], [429, 'submit_address', undefined]);
    assert.deepEqual(await results(), { capped: 1 });
    // Other addresses are unaffected, and after an hour this one is too.
    assert.equal((await submit(await openPage(), cards.visa, { from: '203.0.113.9' })).status, 200);
    await fixture.advance(HOUR);
    assert.equal((await submit(await openPage(), cards.visa)).body.response_type, 'confirmed');
  });

  test('has one hard cap for the /64 of an IPv6 subscriber', async () => {
    const host = (number: number) => `2001:db8:${addresses}:1::${number}`;
    address = host(1);
    await exhaust();
    for (let index = LIMIT; index < HARD_CAP; index += 1) {
      const page = await openPage();
      await submit(page, cards.declined, { proof: solveByHand(challengeOf(await submit(page, cards.declined))) });
    }
    const refused = await submit(await openPage(), cards.visa, { from: host(2) });
    const { limit, challenge } = readProblem(refused, 'capped');
    assert.deepEqual([refused.status, limit, challenge], [429, 'submit_address', undefined]);
    await results();
  });

  test('solved before the hard cap is refused after it', async () => {
    await exhaust();
    const solved = await openPage();
    const proof = solveByHand(challengeOf(await submit(solved, cards.visa)));
    for (let index = LIMIT; index < HARD_CAP; index += 1) {
      const page = await openPage();
      await submit(page, cards.declined, { proof: solveByHand(challengeOf(await submit(page, cards.declined))) });
    }
    await results();
    assert.equal((await submit(solved, cards.visa, { proof })).status, 429);
    assert.deepEqual(await results(), { capped: 2 });
  });

  test('lifts neither the limit per card nor the limit per payment', async () => {
    await fixture.advance(2 * HOUR);
    for (let index = 0; index < 40; index += 1)
      assert.equal(
        (await submit(await openPage(), cards.insufficientFunds, { from: `203.0.113.${20 + index}` })).status,
        200,
      );
    await exhaust();
    const page = await openPage();
    const proof = solveByHand(challengeOf(await submit(page, cards.insufficientFunds)));
    const byCard = await submit(page, cards.insufficientFunds, { proof });
    const problem = readProblem(byCard, 'card');
    assert.deepEqual([problem.limit, problem.challenge], ['submit_card', undefined]);
    for (let index = 0; index < 5; index += 1) {
      const response = await submit(page, cards.declined, {
        proof: solveByHand(challengeOf(await submit(page, cards.declined))),
      });
      assert.equal(response.body.response_type, 'declined', response.text);
    }
    assert.equal((await submit(page, cards.visa, { from: '203.0.113.99' })).status, 410);
  });

  test('is issued neither to plain forms nor to merchants’ servers', async () => {
    await exhaust();
    await results();
    const page = await openPage();
    const card = submission(page.reference, cards.visa);
    const form = new URLSearchParams({ ...card, card_expiry: '04 / 40', do: 'card', client_token: page.clientToken });
    const response = await fixture.request(page.path, {
      token: null,
      headers: { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    assert.equal(response.status, 422);
    assert.match(response.text, /Too many attempts\. You weren&#39;t charged/);
    assert.deepEqual(await results(), {});
    const byServer = await fixture.request('/fiat/v1/transaction/submit', {
      headers: { 'x-forwarded-for': address },
      body: card,
    });
    assert.equal(byServer.body.response_type, 'confirmed');
  });

  test('stores no readable IP address', async () => {
    await exhaust();
    const page = await openPage();
    await submit(page, cards.visa, { proof: solveByHand(challengeOf(await submit(page, cards.visa))) });
    const rows = await db(fixture.service().database).selectFrom('rate_limits').selectAll().execute();
    assert.ok(rows.length > 0);
    for (const { name } of rows) assert.match(name, /^[\w-]{43}$/);
  });
});
