import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Balance } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { Loader, readPages } from '../loader.ts';
import { button, section } from '../parts.ts';
import { methodLogo } from '../transactions/methods.ts';
import { amountOf, balanceParts, hasWithdrawableFunds, partView } from './balance-parts.ts';
import { CryptoSection, REFRESH_DELAY_MS } from './crypto-section.ts';

/** Wallets offered as the source of a withdrawal: the newest 1,000 with a balance. */
const PER_PAGE = 100;
const MAX_PAGES = 10;

/** The merchant's balance in each currency, by part. */
@customElement('crypto-balances')
export class CryptoBalances extends CryptoSection {
  readonly loader = this.reloadOnUpdate(
    new Loader<readonly Balance[]>(this, async (signal) => (await this.context.api.listBalances({ signal })).balances),
    REFRESH_DELAY_MS,
  );

  override render() {
    if (this.loader.value?.length === 0) return nothing;
    const view = loadView(this.loader, this.i18n, {
      skeleton: () => skeletonRows(1),
      content: (balances) => {
        const isSomeUncredited = balances.some(({ parts }) => BigInt(parts.unattributed) + BigInt(parts.rejected) > 0n);
        return html`<ul class="panel">
            ${balances.map((balance) => this.#balanceRow(balance))}
          </ul>
          ${isSomeUncredited ? html`<p class="hint">${this.text('crypto.uncredited_text')}</p>` : nothing}`;
      },
    });
    return section('balances', this.text('crypto.balances'), view);
  }

  async #withdraw(code: Balance['code']) {
    this.busyId = code;
    await this.attempt(async () => {
      const { rows } = await readPages(MAX_PAGES, async (page) => {
        const query = { ...page, code, funded: 'true', per_page: PER_PAGE } as const;
        const { wallets, next_cursor: next } = await this.context.api.listWallets(query);
        return [wallets, next];
      });
      await this.withdraw(code, rows);
    });
    this.busyId = null;
  }

  #balanceRow(balance: Balance) {
    const { code } = balance;
    const parts = balanceParts
      .map((name) => ({ name, units: amountOf(balance, name) }))
      .filter(({ name, units }) => name === 'credited' || units !== '0');
    return html`<li class="balance">
      ${methodLogo(code)}
      <div class="row-content">
        <span class="row-text">${code.toUpperCase()} ${this.text('crypto.on_chain')}</span>
        <span class="balance-total tabular">${this.context.format.coinUnits(balance.balance, code)}</span>
      </div>
      <div class="balance-parts">${parts.map(({ name, units }) => partView(name, units, code, this.context))}</div>
      ${
        this.isManager && hasWithdrawableFunds(balance)
          ? button(this.text('crypto.withdraw'), () => void this.#withdraw(code), {
              isDisabled: this.busyId !== null,
              name: `${this.text('crypto.withdraw')}: ${code.toUpperCase()}`,
            })
          : nothing
      }
    </li>`;
  }
}
