import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ListWalletsInput, Wallet } from '../../../client/api.ts';
import { cryptoCurrencyCodes } from '../../../src/shared/crypto-currency.ts';
import { listView } from '../list-view.ts';
import { ListLoader } from '../loader.ts';
import { emptyState, section, tag } from '../parts.ts';
import { methodLogo } from '../transactions/methods.ts';
import { addressView } from './address.ts';
import { amountOf, balanceParts, partView } from './balance-parts.ts';
import { CryptoSection, PER_PAGE, REFRESH_DELAY_MS, stateTones } from './crypto-section.ts';
import { copyButton } from '../copy-button.ts';
import { rowMenu } from '../row-menu.ts';
import { withdrawableFunds } from './withdraw-prompt.ts';

const states = ['assigned', 'free', 'rotated', 'retired'] as const;

/** The wallets of a merchant. */
@customElement('wallet-list')
export class WalletList extends CryptoSection {
  @state() private walletState = '';
  @state() private code = '';

  readonly loader = this.reloadOnUpdate(
    new ListLoader(this, async (page, signal) => {
      const query = { ...page, state: this.walletState, code: this.code, per_page: PER_PAGE } as ListWalletsInput;
      const { wallets, next_cursor: next } = await this.context.api.listWallets(query, { signal });
      return [wallets, next] as const;
    }),
    REFRESH_DELAY_MS,
  );

  async #rotate({ walletAddress, walletType }: Wallet) {
    const values = await this.context.prompt({
      heading: this.text('crypto.rotate_title'),
      text: html`<p>${this.text(walletType === 'user' ? 'crypto.rotate_text_user' : 'crypto.rotate_text')}</p>
        <p dir="ltr"><code>${walletAddress}</code></p>`,
      confirm: this.text('crypto.rotate'),
      isDestructive: true,
    });
    if (values === null) return;
    const rotate = async () => await this.context.api.rotateWallet({ walletAddress });
    await this.runAction(walletAddress, rotate, this.text('crypto.rotated'));
  }

  override render() {
    const codes = cryptoCurrencyCodes.map((code) => [code, code.toUpperCase()] as const);
    const names = states.map((state) => [state, this.text(`statuses.wallet.${state}`)] as const);
    const byCode = this.filterField('walletCode', this.code, codes, (code) => {
      this.code = code;
      void this.loader.restart();
    });
    const byState = this.filterField('walletState', this.walletState, names, (walletState) => {
      this.walletState = walletState;
      void this.loader.restart();
    });
    const isUnfiltered = this.walletState + this.code === '';
    const view = listView(this.loader, this.i18n, {
      skeletonRowCount: 3,
      empty: () =>
        emptyState(
          'wallet',
          this.text(isUnfiltered ? 'crypto.no_wallets' : 'crypto.no_matches'),
          isUnfiltered ? this.text('crypto.no_wallets_text') : '',
        ),
      row: (wallet) => this.#walletRow(wallet),
      key: 'walletAddress',
      more: this.text('crypto.more'),
    });
    const type = this.#sharedType;
    return section(
      'wallets',
      this.text('crypto.wallets'),
      html`${type === null ? nothing : html`<p class="section-text">${this.text(`crypto.types.${type}`)}</p>`} ${view}`,
      this.filterGroup(this.loader.value?.rows, isUnfiltered, html`${byCode} ${byState}`),
    );
  }

  /** The type of all listed wallets; null if they differ. */
  get #sharedType() {
    const types = new Set(this.loader.value?.rows.map(({ walletType }) => walletType));
    const [type = null] = types;
    return types.size === 1 ? type : null;
  }

  /** Parts of a wallet's balance, unless all of it is credited. */
  #partsView(wallet: Wallet) {
    const parts = balanceParts.filter((name) => amountOf(wallet, name) !== '0');
    if (parts.length === 0 || (parts.length === 1 && parts[0] === 'credited')) return nothing;
    return html`<span class="wallet-parts">
      ${parts.map((name) => partView(name, amountOf(wallet, name), wallet.code, this.context))}
    </span>`;
  }

  #menu(wallet: Wallet) {
    const { walletAddress, state: walletState } = wallet;
    const withdraw = { value: 'withdraw', text: this.text('crypto.withdraw'), icon: 'arrow-up-right' };
    const rotate = { value: 'rotate', text: this.text('crypto.rotate'), icon: 'refresh-cw' };
    const actions = [
      ...(withdrawableFunds([wallet]).length > 0
        ? [{ ...withdraw, act: () => void this.withdraw(walletAddress, [wallet]) }]
        : []),
      ...(walletState === 'assigned' || walletState === 'free'
        ? [{ ...rotate, act: () => void this.#rotate(wallet) }]
        : []),
    ];
    // Keeps the buttons of all rows in line.
    if (actions.length === 0) return html`<span class="no-menu"></span>`;
    return rowMenu(this.text('shell.more'), actions, this.busyId === walletAddress);
  }

  /** The balance, as a link to the payments that the wallet has received. */
  #balanceView({ walletAddress: search, code, balance, incoming }: Wallet) {
    const amount = this.context.format.coinUnits(balance, code);
    if (BigInt(balance) + BigInt(incoming) === 0n) return html`<span class="row-title tabular">${amount}</span>`;
    const query = new URLSearchParams({ kind: 'crypto', search });
    return html`<a class="row-title link tabular" href=${`${this.context.merchantPath('transactions')}?${query}`}>${amount}</a>`;
  }

  #walletRow(wallet: Wallet) {
    const { walletAddress, walletType, code, reusableAt, createdAt } = wallet;
    const isCoolingDown = wallet.state === 'free' && reusableAt !== null && Date.parse(reusableAt) > Date.now();
    const walletState = isCoolingDown ? 'cooling_down' : wallet.state;
    return html`<li class="row row-wraps wallet">
      ${methodLogo(code)}
      <div class="row-content">
        ${this.#balanceView(wallet)} ${this.#partsView(wallet)}
        ${addressView(walletAddress)}
        <span class="row-text">
          ${this.#sharedType === null ? html`${this.text(`crypto.types.${walletType}`)} · ` : nothing}${this.text('crypto.created')}
          ${this.context.format.relativeTime(createdAt)}
          ${isCoolingDown ? html` · ${this.text('crypto.reusable_at')} ${this.context.format.dateTime(reusableAt)}` : nothing}
        </span>
      </div>
      ${tag(this.text(`statuses.wallet.${walletState}`), stateTones[walletState] ?? null)}
      <div class="row-actions">
        ${copyButton(walletAddress, this.text('crypto.address'), this.i18n, 'icon')}
        ${this.isManager ? this.#menu(wallet) : nothing}
      </div>
    </li>`;
  }
}
