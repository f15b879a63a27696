import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CreateWithdrawalInput, ListWalletsInput, Wallet } from '../../../client/api.ts';
import { cryptoCurrencyCodes } from '../../../src/shared/crypto-currency.ts';
import { listView } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { ListLoader } from '../load.ts';
import { radioCards } from '../choices.ts';
import { button, emptyState, section, tag } from '../parts.ts';
import { CryptoList, PER_PAGE, REFRESH_AFTER_MS, tones } from './crypto-list.ts';
import { copyButton } from '../copy-button.ts';

const states = ['serving', 'resting', 'rotated', 'retired'] as const;

/** What the money at a wallet is: the parts of its balance, and what is in no block yet. */
const monies = ['credited', 'confirming', 'undecided', 'stray', 'rejected', 'incoming'] as const;
type Money = (typeof monies)[number];
const moneyOf =
  (name: Money) =>
  ({ parts, incoming }: Wallet): string =>
    name === 'incoming' ? incoming : parts[name];

/** Which of its money a manager may have sent. */
const sourcesOf = ({ parts }: Wallet) =>
  (['credited', 'stray', 'rejected'] as const).filter((source) => parts[source] !== '0');

/** The wallets of a merchant and their balances. */
@customElement('wallet-list')
export class WalletList extends CryptoList {
  @state() private walletState = '';
  @state() private code = '';

  readonly list = this.reloadOnUpdate(
    new ListLoader(this, async (from, signal) => {
      const query = { ...from, state: this.walletState, code: this.code, per_page: PER_PAGE } as ListWalletsInput;
      const { wallets, next_cursor: next } = await this.context.api.listWallets(query, { signal });
      return [wallets, next] as const;
    }),
    REFRESH_AFTER_MS,
  );

  async #rotate({ walletAddress, walletType }: Wallet) {
    const answer = await this.context.prompt({
      heading: this.text('crypto.rotate_title'),
      text: html`<p>${this.text(walletType === 'user' ? 'crypto.rotate_text_user' : 'crypto.rotate_text')}</p>
        <p dir="ltr"><code>${walletAddress}</code></p>`,
      confirm: this.text('crypto.rotate'),
      isDestructive: true,
    });
    if (answer === null) return;
    const rotate = async () => await this.context.api.rotateWallet({ walletAddress });
    await this.run(walletAddress, rotate, this.text('crypto.rotated'));
  }

  async #send(wallet: Wallet) {
    const { walletAddress, code } = wallet;
    const sources = sourcesOf(wallet);
    const answer = await this.context.prompt({
      heading: this.text('crypto.send_title'),
      text: html`<p>${this.text('crypto.send_text')}</p>`,
      fields: html`${radioCards({
        ...{ legend: this.text('crypto.send_which'), name: 'source', selected: sources[0] },
        options: sources.map((value) => ({ value, text: this.#part(value, wallet.parts[value], code) })),
      })}
        ${textField({
          ...{ id: 'withdrawal-destination', name: 'destination', maxlength: 128, dir: 'ltr' },
          label: this.text('crypto.destination'),
          hint: this.text('crypto.destination_hint'),
        })}`,
      confirm: this.text('crypto.send'),
      isDestructive: true,
    });
    if (answer === null) return;
    const destination = trimmedValue(answer, 'destination');
    if (destination === '') return this.context.announce(this.text('crypto.destination_missing'));
    const source = trimmedValue(answer, 'source') || sources[0];
    const body = { code, walletAddress, source, destination } as CreateWithdrawalInput;
    const send = async () => await this.context.api.createWithdrawal(body);
    await this.run(walletAddress, send, this.text('crypto.send_asked'));
  }

  override render() {
    const codes = cryptoCurrencyCodes.map((code) => [code, code.toUpperCase()] as const);
    const names = states.map((each) => [each, this.text(`crypto.states.${each}`)] as const);
    const byCode = this.filter('walletCode', this.code, codes, (code) => {
      this.code = code;
      void this.list.restart();
    });
    const byState = this.filter('walletState', this.walletState, names, (walletState) => {
      this.walletState = walletState;
      void this.list.restart();
    });
    const isAll = this.walletState + this.code === '';
    const { value } = this.list;
    const view = listView(this.list, this.i18n, {
      skeletonRowCount: 3,
      empty: () =>
        emptyState(
          'wallet',
          this.text(isAll ? 'crypto.no_wallets' : 'crypto.none_such'),
          isAll ? this.text('crypto.no_wallets_text') : '',
        ),
      row: (wallet) => this.#wallet(wallet),
      more: this.text('crypto.more'),
    });
    return section(
      'wallets',
      this.text('crypto.wallets'),
      html`${value && value.rows.length > 0 ? this.#balances(value.rows, value.hasMore) : nothing} ${view}`,
      html`<div class="head-filters">${byCode} ${byState}</div>`,
    );
  }

  /** What the wallets below hold on their chains, and what of it counts. */
  #balances(wallets: readonly Wallet[], isPart: boolean) {
    const held = cryptoCurrencyCodes.flatMap((code) => {
      const own = wallets.filter((wallet) => wallet.code === code);
      const sum = (of: (wallet: Wallet) => string) => own.reduce((total, wallet) => total + BigInt(of(wallet)), 0n);
      if (own.length === 0) return [];
      return [{ code, all: sum(({ balance }) => balance), money: (name: Money) => sum(moneyOf(name)) }];
    });
    return html`<dl class="balances">
        ${held.map(
          ({ code, all, money }) =>
            html`<div class="panel balance">
              <dt>${code.toUpperCase()} ${this.text('crypto.on_chain')}</dt>
              <dd>
                <span class="balance-all tabular">${this.context.format.coinUnits(all, code)}</span>
                ${monies
                  .filter((name) => name === 'credited' || money(name) > 0n)
                  .map((name) => this.#part(name, String(money(name)), code))}
              </dd>
            </div>`,
        )}
      </dl>
      <p class="hint">${this.text(isPart ? 'crypto.balance_of_part' : 'crypto.balance_text')}</p>`;
  }

  #nameOf(money: Money): string {
    return this.text(money === 'incoming' ? 'crypto.incoming' : `crypto.parts.${money}`);
  }

  #part(name: Money, units: string, code: string) {
    return html`<span class="balance-part" data-part=${name}>
      <span>${this.#nameOf(name)}</span> <span class="balance-units">${this.context.format.coinUnits(units, code)}</span>
    </span>`;
  }

  /** What of a wallet's money is not simply credited. */
  #told(wallet: Wallet) {
    const there = monies.filter((name) => moneyOf(name)(wallet) !== '0');
    if (there.length === 0 || (there.length === 1 && there[0] === 'credited')) return nothing;
    return html`<span class="wallet-parts">
      ${there.map((name) => this.#part(name, moneyOf(name)(wallet), wallet.code))}
    </span>`;
  }

  #wallet(wallet: Wallet) {
    const { walletAddress, code, walletType, state: walletState, balance, restsUntil, createdAt } = wallet;
    const isBusy = this.busyWith === walletAddress;
    const isLive = walletState === 'serving' || walletState === 'resting';
    return html`<li class="row row-wraps wallet">
      <div class="row-words">
        <span class="row-title tabular">${this.context.format.coinUnits(balance, code)}</span>
        ${this.#told(wallet)}
        <span class="row-text address" dir="ltr">${walletAddress}</span>
        <span class="row-text">
          ${this.text(`crypto.types.${walletType}`)} · ${this.context.format.relativeTime(createdAt)}
          ${restsUntil === null ? nothing : html` · ${this.text('crypto.rests_until')} ${this.context.format.dateTime(restsUntil)}`}
        </span>
      </div>
      ${tag(this.text(`crypto.states.${walletState}`), tones[walletState] ?? null)}
      <div class="row-actions">
        ${copyButton(walletAddress, this.text('crypto.address'), this.i18n)}
        ${
          this.isManager && isLive
            ? button(this.text('crypto.rotate'), () => void this.#rotate(wallet), { isDisabled: isBusy })
            : nothing
        }
        ${
          this.isManager && sourcesOf(wallet).length > 0
            ? button(this.text('crypto.send'), () => void this.#send(wallet), { isDisabled: isBusy })
            : nothing
        }
      </div>
    </li>`;
  }
}
