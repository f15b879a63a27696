import { html, nothing, type TemplateResult } from 'lit';
import type { ListWithdrawalsResponse } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import { countPendingReviews } from '../review-queue/pending-reviews.ts';
import { Format } from '../format.ts';
import type { LiveUpdate } from '../live.ts';
import { button, notice } from '../parts.ts';
import { toProblem, problemText } from '../problems.ts';
import { Refresher } from '../refresher.ts';
import { scopesFor } from './access.ts';
import type { AccountNavigation } from './navigation.ts';

type Destination = ListWithdrawalsResponse['pendingDestinations'][number];

const READ_DELAY_MS = 1000;

/** Pending work of the merchant, shown on every page: payments awaiting review and changed withdrawal destinations. */
export class PendingWork {
  readonly #host: AccountNavigation;
  readonly #refresher: Refresher;
  reviewCount = 0;
  #destinations: readonly Destination[] = [];
  #readCount = 0;
  #hasRead = false;

  constructor(host: AccountNavigation) {
    this.#host = host;
    this.#refresher = new Refresher(host, {
      afterMs: READ_DELAY_MS,
      hasRead: () => this.#hasRead,
      read: async () => await this.#read(),
    });
  }

  handleUpdate(update: LiveUpdate) {
    this.#refresher.handleUpdate(update);
  }

  refresh() {
    this.#refresher.schedule();
  }

  /** Reads the pending work of another merchant. */
  restart() {
    this.reviewCount = 0;
    this.#destinations = [];
    this.#hasRead = false;
    void this.#read();
  }

  async #read() {
    const { merchant, isSignedOut } = this.#host;
    if (merchant === null || isSignedOut) return;
    const readCount = ++this.#readCount;
    const api = this.#host.apiFor(merchant.id);
    const [reviewCount, withdrawals] = await Promise.all([
      scopesFor(merchant).has('approval:write') ? countPendingReviews(api).catch(() => null) : 0,
      api.listWithdrawals({ per_page: 1 }).catch(() => null),
    ]);
    if (readCount !== this.#readCount || merchant.id !== this.#host.merchant?.id) return;
    this.reviewCount = reviewCount ?? this.reviewCount;
    this.#destinations = withdrawals?.pendingDestinations ?? this.#destinations;
    this.#hasRead ||= reviewCount !== null || withdrawals !== null;
    this.#host.requestUpdate();
  }

  #text(key: string, values?: TextValues): string {
    return this.#host.i18n.text(`account.shell.pending_destination.${key}`, values);
  }

  /** Cancels a change: the previous destination applies immediately. */
  async #cancel({ code, previousDestination: value }: Destination) {
    const { merchant } = this.#host;
    if (merchant === null) return;
    try {
      await this.#host.apiFor(merchant.id).setPreference({ key: `auto-withdrawal-destination-${code}`, value });
      this.#host.announce(this.#text('cancelled'));
    } catch (error) {
      this.#host.announce(problemText(toProblem(error), this.#host.i18n).heading);
    }
    await this.#read();
  }

  /** A warning for each changed destination, so that an unwanted change is noticed in time. */
  notices(): TemplateResult[] {
    const scopes = scopesFor(this.#host.merchant);
    const canCancel = scopes.has('withdrawal:write') && scopes.has('preference:write');
    return this.#destinations
      .filter(({ effectiveAt }) => Date.parse(effectiveAt) > Date.now())
      .map((change) => this.#notice(change, canCancel));
  }

  #notice(change: Destination, canCancel: boolean) {
    const { code, destination, effectiveAt, requestedByName: name } = change;
    const time = new Format(this.#host.i18n.locale).dateTimeText(effectiveAt);
    return notice({
      ...{ icon: 'shield-alert', tone: 'warn', role: 'region', label: this.#text('label') },
      heading: this.#text('title', { coin: cryptoCurrencies[code].name, time }),
      text: html`<p class="address" dir="ltr">${destination}</p>
        <p>${name === null ? '' : this.#text('by', { name })} ${this.#text(canCancel ? 'text' : 'ask_owner')}</p>`,
      action: canCancel ? button(this.#text('cancel'), () => void this.#cancel(change)) : nothing,
    });
  }
}
