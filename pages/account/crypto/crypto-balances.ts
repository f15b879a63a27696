import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Wallet } from '../../../client/api.ts';
import { cryptoCurrencyCodes } from '../../../src/shared/crypto-currency.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { type ListRows, Loader, readPages } from '../loader.ts';
import { button, section } from '../parts.ts';
import { methodLogo } from '../transactions/methods.ts';
import { amountOf, balanceParts, partView } from './balance-parts.ts';
import { CryptoSection } from './crypto-section.ts';
import { withdrawableFunds } from './withdraw-prompt.ts';

const PER_PAGE = 100;
const MAX_PAGES = 10;
/** Longer than that of the lists: all wallets are read again. */
const REFRESH_DELAY_MS = 3000;

/** The merchant's balance in each currency, by part. */
@customElement('crypto-balances')
export class CryptoBalances extends CryptoSection {
  readonly loader = this.reloadOnUpdate(
    new Loader<ListRows<Wallet>>(this, async (signal) => {
      return await readPages(MAX_PAGES, async (page) => {
        const { wallets, next_cursor: next } = await this.context.api.listWallets(
          { ...page, per_page: PER_PAGE },
          { signal },
        );
        return [wallets, next];
      });
    }),
    REFRESH_DELAY_MS,
  );

  override render() {
    if (this.loader.value?.rows.length === 0) return nothing;
    const view = loadView(this.loader, this.i18n, {
      skeleton: () => skeletonRows(1),
      content: ({ rows, hasMore }) => {
        const note = hasMore
          ? this.text('crypto.balance_partial', { number: this.context.format.number(rows.length) })
          : this.text('crypto.balance_text');
        const isSomeUncredited = rows.some(({ parts }) => BigInt(parts.unattributed) + BigInt(parts.rejected) > 0n);
        return html`<ul class="panel">
            ${cryptoCurrencyCodes.map((code) => this.#balanceRow(rows.filter((wallet) => wallet.code === code)))}
          </ul>
          <p class="hint">${note} ${isSomeUncredited ? this.text('crypto.uncredited_text') : nothing}</p>`;
      },
    });
    return section('balances', this.text('crypto.balances'), view);
  }

  #balanceRow(wallets: readonly Wallet[]) {
    const [first] = wallets;
    if (!first) return nothing;
    const { code } = first;
    const sum = (of: (wallet: Wallet) => string) => wallets.reduce((total, wallet) => total + BigInt(of(wallet)), 0n);
    const parts = balanceParts
      .map((name) => ({ name, units: sum((wallet) => amountOf(wallet, name)) }))
      .filter(({ name, units }) => name === 'credited' || units > 0n);
    return html`<li class="balance">
      ${methodLogo(code)}
      <div class="row-content">
        <span class="row-text">${code.toUpperCase()} ${this.text('crypto.on_chain')}</span>
        <span class="balance-total tabular">${this.context.format.coinUnits(
          sum(({ balance }) => balance),
          code,
        )}</span>
      </div>
      <div class="balance-parts">${parts.map(({ name, units }) => partView(name, String(units), code, this.context))}</div>
      ${
        this.isManager && withdrawableFunds(wallets).length > 0
          ? button(this.text('crypto.withdraw'), () => void this.withdraw(code, wallets), {
              isDisabled: this.busyId === code,
              name: `${this.text('crypto.withdraw')}: ${code.toUpperCase()}`,
            })
          : nothing
      }
    </li>`;
  }
}
