// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../src/api/problem-error.ts';
import { openSandboxRates } from '../../src/rates/module.ts';
import type { CoinRates } from '../../src/rates/port.ts';
import { checkFeeShare } from '../../src/withdrawals/fee-rate.ts';
import type { WithdrawalsContext } from '../../src/withdrawals/context.ts';

const contextOf = (rates: CoinRates) => ({
  rates,
  withdrawalLimits: { maxFeePercent: 25n } as WithdrawalsContext['withdrawalLimits'],
});
const unavailable: CoinRates = {
  rate: () => {
    throw new Problem('rate_unavailable', 'The exchange rate ETH/USD is unavailable.');
  },
};

test('a token is sent if the fee in ether is a small share of it, and waits while that is unknown', () => {
  const sandbox = contextOf(openSandboxRates().coins);
  const fee = 10n ** 15n;
  assert.equal(checkFeeShare(sandbox, { code: 'usdt' }, { amount: 20_000_000n, fee }), null);
  const large = checkFeeShare(sandbox, { code: 'usdt' }, { amount: 2_000_000n, fee });
  assert.equal(large?.waitsFor.reason, 'amount_too_small');
  const waiting = checkFeeShare(contextOf(unavailable), { code: 'usdt' }, { amount: 20_000_000n, fee });
  assert.equal(waiting?.waitsFor.reason, 'rate');
  // Fee and amount of a coin have the same unit.
  assert.equal(checkFeeShare(contextOf(unavailable), { code: 'eth' }, { amount: fee * 10n, fee }), null);
});
