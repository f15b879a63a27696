import type { TransactionDetail } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';

type Attempt = TransactionDetail['attempts'][number];
type ChargeDetails = NonNullable<Attempt['charge_details']>;
type CheckResult = 'match' | 'partial' | 'mismatch' | 'unchecked';

/** Result letters of the card networks. Acquirers may report their own values instead, which are shown unchanged. */
const addressResults: Readonly<Record<CheckResult, string>> = {
  match: 'DFMXY',
  partial: 'ABLPWZ',
  mismatch: 'N',
  unchecked: 'CEGIRSU',
};
const securityCodeResults: Readonly<Record<CheckResult, string>> = {
  match: 'M',
  partial: '',
  mismatch: 'N',
  unchecked: 'PSUX',
};

/** Merchant advice codes of the networks; 24 to 30 specify when to retry. */
const advices: Readonly<Record<string, string>> = {
  '01': 'new_details',
  '02': 'try_later',
  '03': 'do_not_retry',
  '21': 'do_not_retry',
  ...Object.fromEntries([24, 25, 26, 27, 28, 29, 30].map((code) => [String(code), 'try_later'])),
};

/** The response data of an attempt as lines of text: its meaning, and the reported code. */
export function cardCheckLines(
  { decline, charge_details: details = {} }: Pick<Attempt, 'decline' | 'charge_details'>,
  i18n: I18n,
): string[] {
  const text = (key: string, values = {}) => i18n.text(`account.transactions.checks.${key}`, values);
  const withMeaning = (code: string, meaning: string | undefined) =>
    meaning === undefined ? code : `${text(`advice.${meaning}`)} (${code})`;
  const result = (code: string, results: Readonly<Record<CheckResult, string>>) => {
    const known = (Object.keys(results) as CheckResult[]).find(
      (each) => code.length === 1 && results[each].includes(code),
    );
    return known === undefined ? code : `${text(`result.${known}`)} (${code})`;
  };
  const networkCode = details.network_code ?? decline?.network_code ?? undefined;
  const line = (key: keyof ChargeDetails, code: string | undefined) =>
    code === undefined ? [] : [text(key, { code })];
  const advice = details.merchant_advice_code;
  const avs = details.avs_result;
  const cvv = details.cvv_result;
  return [
    ...line('network_code', networkCode),
    ...line('merchant_advice_code', advice && withMeaning(advice, advices[advice])),
    ...(avs === undefined ? [] : [text('avs_result', { result: result(avs, addressResults) })]),
    ...(cvv === undefined ? [] : [text('cvv_result', { result: result(cvv, securityCodeResults) })]),
    ...line('authorization_code', details.authorization_code),
    ...line('arn', details.arn),
  ];
}

/** The network's codes for a declined attempt, and its advice against a retry. */
export function declineLines({ decline, charge_details: details = {} }: Attempt, i18n: I18n): string[] {
  const { network_code: code, merchant_advice_code: advice } = details;
  const networkDetails = {
    ...(code !== undefined && { network_code: code }),
    ...(advice !== undefined && { merchant_advice_code: advice }),
  };
  return [
    ...cardCheckLines({ ...(decline && { decline }), charge_details: networkDetails }, i18n),
    ...(decline?.advice === 'do_not_retry' && advices[advice ?? ''] !== 'do_not_retry'
      ? [i18n.text('account.transactions.decline.do_not_retry')]
      : []),
  ];
}

/**
 * Pairs the decline events of the timeline with their attempts, both in order; keyed by the event's sequence number.
 */
export function declinedAttempts({ attempts, timeline }: TransactionDetail): ReadonlyMap<number, Attempt> {
  const declined = attempts.filter(({ decline }) => decline !== undefined);
  const pairs = new Map<number, Attempt>();
  for (const { sequence, detail } of timeline) {
    const index = declined.findIndex(({ decline }) => decline?.code === detail);
    if (index === -1) continue;
    const [attempt] = declined.splice(0, index + 1).slice(-1);
    if (attempt) pairs.set(sequence, attempt);
  }
  return pairs;
}
