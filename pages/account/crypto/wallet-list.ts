import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CreateWithdrawalInput, ListWalletsInput, Wallet } from '../../../client/api.ts';
import { cryptoCurrencyCodes } from '../../../src/shared/crypto-currency.ts';
import { listView } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { ListLoader } from '../loader.ts';
import { radioCards } from '../choices.ts';
import { emptyState, section, tag } from '../parts.ts';
import { CryptoList, PER_PAGE, REFRESH_DELAY_MS, stateTones } from './crypto-list.ts';
import { copyButton } from '../copy-button.ts';
import { rowMenu } from '../row-menu.ts';

const states = ['assigned', 'free', 'rotated', 'retired'] as const;

/** Parts of a wallet's balance, and incoming deposits that are not in a block yet. */
const balanceParts = [
  'credited',
  'sending',
  'confirming',
  'in_review',
  'unattributed',
  'rejected',
  'incoming',
] as const;
type BalancePart = (typeof balanceParts)[number];
const amountOf =
  (name: BalancePart) =>
  ({ parts, incoming }: Wallet): string =>
    name === 'incoming' ? incoming : parts[name];

/** Parts of the balance that a manager can withdraw. */
const withdrawableParts = ({ parts }: Wallet) =>
  (['credited', 'unattributed', 'rejected'] as const).filter((source) => parts[source] !== '0');

/** The wallets of a merchant and their balances. */
@customElement('wallet-list')
export class WalletList extends CryptoList {
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

  async #withdraw(wallet: Wallet) {
    const { walletAddress, code } = wallet;
    const sources = withdrawableParts(wallet);
    const values = await this.context.prompt({
      heading: this.text('crypto.withdraw_title'),
      text: html`<p>${this.text('crypto.withdraw_text')}</p>`,
      fields: html`${radioCards({
        ...{ legend: this.text('crypto.withdraw_parts'), name: 'source', selected: sources[0] },
        options: sources.map((value) => ({ value, text: this.#partView(value, wallet.parts[value], code) })),
      })}
        ${textField({
          ...{ id: 'withdrawal-destination', name: 'destination', maxlength: 128, dir: 'ltr' },
          label: this.text('crypto.destination'),
          hint: this.text('crypto.destination_hint'),
        })}`,
      confirm: this.text('crypto.withdraw'),
      isDestructive: true,
    });
    if (values === null) return;
    const destination = trimmedValue(values, 'destination');
    if (destination === '') return this.context.announce(this.text('crypto.destination_missing'));
    const source = trimmedValue(values, 'source') || sources[0];
    const body = { code, walletAddress, source, destination } as CreateWithdrawalInput;
    const create = async () => await this.context.api.createWithdrawal(body);
    await this.runAction(walletAddress, create, this.text('crypto.withdraw_requested'));
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
    const { value } = this.loader;
    const view = listView(this.loader, this.i18n, {
      skeletonRowCount: 3,
      empty: () =>
        emptyState(
          'wallet',
          this.text(isUnfiltered ? 'crypto.no_wallets' : 'crypto.no_matches'),
          isUnfiltered ? this.text('crypto.no_wallets_text') : '',
        ),
      row: (wallet) => this.#walletRow(wallet),
      more: this.text('crypto.more'),
    });
    return section(
      'wallets',
      this.text('crypto.wallets'),
      html`${value && value.rows.length > 0 ? this.#balancesView(value.rows, value.hasMore) : nothing} ${view}`,
      html`<div class="head-filters">${byCode} ${byState}</div>`,
    );
  }

  /** Total balances of the listed wallets, by part. */
  #balancesView(wallets: readonly Wallet[], isPartial: boolean) {
    const balances = cryptoCurrencyCodes.flatMap((code) => {
      const matches = wallets.filter((wallet) => wallet.code === code);
      const sum = (of: (wallet: Wallet) => string) => matches.reduce((total, wallet) => total + BigInt(of(wallet)), 0n);
      if (matches.length === 0) return [];
      return [{ code, all: sum(({ balance }) => balance), money: (name: BalancePart) => sum(amountOf(name)) }];
    });
    return html`<dl class="balances">
        ${balances.map(
          ({ code, all: balance, money: amount }) =>
            html`<div class="panel balance">
              <dt>${code.toUpperCase()} ${this.text('crypto.on_chain')}</dt>
              <dd>
                <span class="balance-total tabular">${this.context.format.coinUnits(balance, code)}</span>
                ${balanceParts
                  .filter((name) => name === 'credited' || amount(name) > 0n)
                  .map((name) => this.#partView(name, String(amount(name)), code))}
              </dd>
            </div>`,
        )}
      </dl>
      <p class="hint">${this.text(isPartial ? 'crypto.balance_partial' : 'crypto.balance_text')}</p>`;
  }

  #partName(amount: BalancePart): string {
    return this.text(amount === 'incoming' ? 'crypto.incoming' : `crypto.parts.${amount}`);
  }

  #partView(name: BalancePart, units: string, code: string) {
    return html`<span class="balance-part" data-part=${name}>
      <span>${this.#partName(name)}</span> <span class="balance-units">${this.context.format.coinUnits(units, code)}</span>
    </span>`;
  }

  /** Parts of a wallet's balance, unless all of it is credited. */
  #partsView(wallet: Wallet) {
    const parts = balanceParts.filter((name) => amountOf(name)(wallet) !== '0');
    if (parts.length === 0 || (parts.length === 1 && parts[0] === 'credited')) return nothing;
    return html`<span class="wallet-parts">
      ${parts.map((name) => this.#partView(name, amountOf(name)(wallet), wallet.code))}
    </span>`;
  }

  #menu(wallet: Wallet) {
    const { walletAddress, state: walletState } = wallet;
    const withdraw = { value: 'withdraw', text: this.text('crypto.withdraw'), icon: 'arrow-up-right' };
    const rotate = { value: 'rotate', text: this.text('crypto.rotate'), icon: 'refresh-cw' };
    const actions = [
      ...(withdrawableParts(wallet).length > 0 ? [{ ...withdraw, act: () => void this.#withdraw(wallet) }] : []),
      ...(walletState === 'assigned' || walletState === 'free'
        ? [{ ...rotate, act: () => void this.#rotate(wallet) }]
        : []),
    ];
    // Keeps the buttons of all rows in line.
    if (actions.length === 0) return html`<span class="no-menu"></span>`;
    return rowMenu(this.text('shell.more'), actions, this.busyId === walletAddress);
  }

  #walletRow(wallet: Wallet) {
    const { walletAddress, code, walletType, balance, reusableAt, createdAt } = wallet;
    const isCoolingDown = wallet.state === 'free' && reusableAt !== null && Date.parse(reusableAt) > Date.now();
    const walletState = isCoolingDown ? 'cooling_down' : wallet.state;
    return html`<li class="row row-wraps wallet">
      <div class="row-content">
        <span class="row-title tabular">${this.context.format.coinUnits(balance, code)}</span>
        ${this.#partsView(wallet)}
        <span class="row-text address" dir="ltr">${walletAddress}</span>
        <span class="row-text">
          ${this.text(`crypto.types.${walletType}`)} · ${this.text('crypto.created')} ${this.context.format.relativeTime(createdAt)}
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
