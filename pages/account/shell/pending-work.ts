import { html, nothing, type TemplateResult } from 'lit';
import type { ListWithdrawalsAnswer } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import { countDecisions } from '../decisions/waiting.ts';
import { Format } from '../format.ts';
import type { News } from '../live.ts';
import { button, notice } from '../parts.ts';
import { asProblem, problemWords } from '../problems.ts';
import { Refresher } from '../refresher.ts';
import { scopesFor } from './access.ts';
import type { AccountNavigation } from './navigation.ts';

type Destination = ListWithdrawalsAnswer['pendingDestinations'][number];

const COUNT_AFTER_MS = 1000;

/** What every page shows of the merchant: the payments awaiting review, and changed withdrawal destinations. */
export class PendingWork {
  readonly #host: AccountNavigation;
  readonly #refresher: Refresher;
  waiting = 0;
  #destinations: readonly Destination[] = [];
  #counts = 0;
  #hasCounted = false;

  constructor(host: AccountNavigation) {
    this.#host = host;
    this.#refresher = new Refresher(host, {
      afterMs: COUNT_AFTER_MS,
      hasRead: () => this.#hasCounted,
      read: async () => await this.#count(),
    });
  }

  heard(news: News) {
    this.#refresher.heard(news);
  }

  recount() {
    this.#refresher.soon();
  }

  /** Counts for another merchant. */
  restart() {
    this.waiting = 0;
    this.#destinations = [];
    this.#hasCounted = false;
    void this.#count();
  }

  async #count() {
    const { merchant, isSignedOut } = this.#host;
    if (merchant === null || isSignedOut) return;
    const counted = ++this.#counts;
    const api = this.#host.apiOf(merchant.id);
    const [waiting, withdrawals] = await Promise.all([
      scopesFor(merchant).has('approval:write') ? countDecisions(api).catch(() => null) : 0,
      api.listWithdrawals({ per_page: 1 }).catch(() => null),
    ]);
    if (counted !== this.#counts || merchant.id !== this.#host.merchant?.id) return;
    this.waiting = waiting ?? this.waiting;
    this.#destinations = withdrawals?.pendingDestinations ?? this.#destinations;
    this.#hasCounted ||= waiting !== null || withdrawals !== null;
    this.#host.requestUpdate();
  }

  #text(key: string, values?: TextValues): string {
    return this.#host.i18n.text(`account.shell.pending_destination.${key}`, values);
  }

  /** Cancels a change: the previous destination holds at once. */
  async #cancel({ code, previousDestination: value }: Destination) {
    const { merchant } = this.#host;
    if (merchant === null) return;
    try {
      await this.#host.apiOf(merchant.id).setPreference({ key: `auto-withdrawal-destination-${code}`, value });
      this.#host.say(this.#text('cancelled'));
    } catch (error) {
      this.#host.say(problemWords(asProblem(error), this.#host.i18n).heading);
    }
    await this.#count();
  }

  /** A warning for each changed destination, so that an unwanted change is noticed in time. */
  notices(): TemplateResult[] {
    const scopes = scopesFor(this.#host.merchant);
    const mayCancel = scopes.has('withdrawal:write') && scopes.has('preference:write');
    return this.#destinations
      .filter(({ effectiveAt }) => Date.parse(effectiveAt) > Date.now())
      .map((each) => this.#notice(each, mayCancel));
  }

  #notice(changed: Destination, mayCancel: boolean) {
    const { code, destination, effectiveAt, requestedByName: name } = changed;
    const time = new Format(this.#host.i18n.locale).momentText(effectiveAt);
    return notice({
      ...{ icon: 'shield-alert', tone: 'warn', role: 'region', label: this.#text('label') },
      heading: this.#text('title', { coin: cryptoCurrencies[code].name, time }),
      text: html`<p class="address" dir="ltr">${destination}</p>
        <p>${name === null ? '' : this.#text('by', { name })} ${this.#text(mayCancel ? 'text' : 'ask_owner')}</p>`,
      action: mayCancel ? button(this.#text('cancel'), () => void this.#cancel(changed)) : nothing,
    });
  }
}
