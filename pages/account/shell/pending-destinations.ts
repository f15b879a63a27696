import { html, type TemplateResult } from 'lit';
import type { ListWithdrawalsAnswer } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { Wording } from '../../checkout/elements/text.ts';
import type { AccountApi } from '../api.ts';
import type { Format } from '../format.ts';
import { icon } from '../icons.ts';
import { button } from '../parts.ts';

export type PendingDestination = ListWithdrawalsAnswer['pendingDestinations'][number];

/** Changed destinations of automatic withdrawals that do not hold yet. */
export async function readPendingDestinations(api: AccountApi): Promise<readonly PendingDestination[]> {
  const answer = await api.listWithdrawals({ per_page: 1 });
  return answer.pendingDestinations;
}

/** Cancels a change: the former destination holds at once. */
export async function cancelPending(
  api: AccountApi,
  { code, previousDestination }: PendingDestination,
): Promise<unknown> {
  const body = { key: `auto-withdrawal-destination-${code}`, value: previousDestination };
  return await api.setPreference(body);
}

/** A warning above every page, so that a change that nobody asked for is noticed in time. */
export function renderPending(
  { code, destination, effectiveAt, requestedByName }: PendingDestination,
  { words, format, cancel }: { words: Wording; format: Format; cancel: (() => void) | null },
): TemplateResult {
  const text = (key: string, values = {}) => words.text(`account.shell.pending_destination.${key}`, values);
  const values = { coin: cryptoCurrencies[code].name, time: format.momentText(effectiveAt) };
  return html`<section class="notice notice-pending" data-tone="warn" aria-label=${text('label')}>
    ${icon('shield-alert')}
    <div>
      <p class="notice-heading">${text('title', values)}</p>
      <p class="address" dir="ltr">${destination}</p>
      <p>
        ${requestedByName === null ? '' : text('by', { name: requestedByName })}
        ${text(cancel === null ? 'ask_owner' : 'text')}
      </p>
    </div>
    ${cancel === null ? '' : button(text('cancel'), cancel)}
  </section>`;
}
