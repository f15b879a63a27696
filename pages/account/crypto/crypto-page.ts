import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type {
  CreateWithdrawalInput,
  ListWalletsInput,
  ListWithdrawalsInput,
  Wallet,
  Withdrawal,
} from '../../../client/api.ts';
import { cryptoCurrencyCodes } from '../../../src/shared/crypto-currency.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { may } from '../context.ts';
import { given, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { ListLoad } from '../load.ts';
import './withdrawal-detail.ts';
import '../copy-value.ts';
import { asProblem } from '../problems.ts';
import { type Tone, button, choiceList, emptyState, tag } from '../parts.ts';

const PER_PAGE = 50;
const LOOK_AGAIN_AFTER_MS = 500;
const walletStates = ['serving', 'resting', 'rotated', 'retired'] as const;
const withdrawalStatuses = ['waiting', 'to_sign', 'sent', 'confirmed', 'failed'] as const;
const tones: Readonly<Record<string, Tone>> = {
  ...{ serving: 'good', rotated: 'warn', to_sign: 'warn', confirmed: 'good', failed: 'bad' },
};

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

/** The wallets of a merchant, what they hold, and what leaves them. */
@customElement('crypto-page')
export class CryptoPage extends AccountPage {
  @state() private walletState = '';
  @state() private walletCode = '';
  @state() private withdrawalStatus = '';
  @state() private busyWith: string | null = null;
  /** The withdrawal that is looked at. */
  @state() private opened: string | null = null;

  readonly #wallets = this.reloadOnNews(
    new ListLoad(this, async (from, signal) => {
      const query = { ...from, state: this.walletState, code: this.walletCode, per_page: PER_PAGE } as ListWalletsInput;
      const { wallets, next_cursor: next } = await this.context.api.listWallets(query, { signal });
      return [wallets, next] as const;
    }),
    LOOK_AGAIN_AFTER_MS,
  );
  readonly #withdrawals = this.reloadOnNews(
    new ListLoad(this, async (from, signal) => {
      const query = { ...from, status: this.withdrawalStatus, per_page: PER_PAGE } as ListWithdrawalsInput;
      const { withdrawals, next_cursor: next } = await this.context.api.listWithdrawals(query, { signal });
      return [withdrawals, next] as const;
    }),
    LOOK_AGAIN_AFTER_MS,
  );

  get #isManager(): boolean {
    return this.context.account?.person.isManager ?? false;
  }

  async #do(name: string, act: () => Promise<unknown>, done: string) {
    this.busyWith = name;
    try {
      await act();
      this.context.say(done);
      void this.#wallets.run();
      void this.#withdrawals.run();
    } catch (error) {
      const problem = asProblem(error);
      this.context.say(problem.errors[0]?.detail ?? this.sentence(problem));
    }
    this.busyWith = null;
  }

  async #rotate({ walletAddress, walletType }: Wallet) {
    const answer = await this.context.ask({
      heading: this.text('crypto.rotate_title'),
      text: html`<p>${this.text(walletType === 'user' ? 'crypto.rotate_text_user' : 'crypto.rotate_text')}</p>
        <p dir="ltr"><code>${walletAddress}</code></p>`,
      confirm: this.text('crypto.rotate'),
      isGrave: true,
    });
    if (answer === null) return;
    const rotate = async () => await this.context.api.rotateWallet({ walletAddress });
    await this.#do(walletAddress, rotate, this.text('crypto.rotated'));
  }

  async #send(wallet: Wallet) {
    const { walletAddress, code } = wallet;
    const sources = sourcesOf(wallet);
    const answer = await this.context.ask({
      heading: this.text('crypto.send_title'),
      text: html`<p>${this.text('crypto.send_text')}</p>`,
      fields: html`${choiceList({
        ...{ legend: this.text('crypto.send_which'), name: 'source', chosen: sources[0] },
        options: sources.map((value) => ({ value, text: this.#part(value, wallet.parts[value], code) })),
      })}
        ${textField({
          ...{ id: 'withdrawal-destination', name: 'destination', maxlength: 128, dir: 'ltr' },
          label: this.text('crypto.destination'),
          hint: this.text('crypto.destination_hint'),
        })}`,
      confirm: this.text('crypto.send'),
      isGrave: true,
    });
    if (answer === null) return;
    const destination = given(answer, 'destination');
    if (destination === '') return this.context.say(this.text('crypto.destination_missing'));
    const source = given(answer, 'source') || sources[0];
    const body = { code, walletAddress, source, destination } as CreateWithdrawalInput;
    const send = async () => await this.context.api.createWithdrawal(body);
    await this.#do(walletAddress, send, this.text('crypto.send_asked'));
  }

  async #cancel({ id, status, txHashes, waitsFor }: Withdrawal) {
    // One that waits for its signature has the transaction to sign among them.
    const isMade = status === 'sent' || txHashes.length > (status === 'to_sign' ? 1 : 0);
    const isSigned = isMade && waitsFor?.reason !== 'destination';
    if (isSigned) {
      const answer = await this.context.ask({
        heading: this.text('crypto.cancel_title'),
        text: html`<p>${this.text('crypto.cancel_text')}</p>`,
        confirm: this.text('crypto.cancel'),
        dismiss: this.text('crypto.cancel_dismiss'),
        isGrave: true,
      });
      if (answer === null) return;
    }
    const cancel = async () => await this.context.api.cancelWithdrawal({ id });
    await this.#do(id, cancel, this.text(isSigned ? 'crypto.cancel_asked' : 'crypto.cancelled'));
  }

  // What is drawn

  override render() {
    return html`<header class="page-head"><h1 tabindex="-1">${this.text('shell.pages.crypto')}</h1></header>
      ${this.#withdrawalSection()} ${this.#walletSection()}`;
  }

  #filter(name: 'walletState' | 'walletCode' | 'withdrawalStatus', options: readonly string[], words: string) {
    const load = () => void (name === 'withdrawalStatus' ? this.#withdrawals : this.#wallets).restart();
    return html`<label class="select">
      <span class="visually-hidden">${this.text(`crypto.filter.${name}`)}</span>
      <select
        class="field"
        autocomplete="off"
        @change=${(event: Event) => {
          this[name] = (event.target as HTMLSelectElement).value;
          load();
        }}
      >
        <option value="">${this.text(`crypto.filter.${name}`)}</option>
        ${options.map(
          (each) =>
            html`<option value=${each} ?selected=${each === this[name]}>
              ${words === '' ? each.toUpperCase() : this.text(`crypto.${words}.${each}`)}
            </option>`,
        )}
      </select>
      ${icon('chevron-down')}
    </label>`;
  }

  #more(load: ListLoad<unknown>) {
    return button(this.text('crypto.more'), () => void load.more(), { isDisabled: load.isLoading });
  }

  #withdrawalSection() {
    return html`<section class="section">
      <div class="section-head">
        <h2 class="section-heading">${this.text('crypto.withdrawals')}</h2>
        <div class="head-filters">${this.#filter('withdrawalStatus', withdrawalStatuses, 'statuses')}</div>
      </div>
      ${loadView(this.#withdrawals, this.words, {
        skeleton: () => skeletonRows(2),
        empty: ({ rows: withdrawals }) =>
          withdrawals.length > 0
            ? null
            : emptyState(
                'arrow-up-right',
                this.text(this.withdrawalStatus === '' ? 'crypto.no_withdrawals' : 'crypto.none_such'),
                this.withdrawalStatus === '' ? this.text('crypto.no_withdrawals_text') : '',
              ),
        shown: ({ rows: withdrawals, hasMore }) =>
          html`<ul class="panel plain-list">
              ${withdrawals.map((each) => this.#withdrawal(each))}
            </ul>
            ${hasMore ? this.#more(this.#withdrawals) : nothing}`,
      })}
    </section>`;
  }

  /** A held one by anyone who may send money; a manager also cancels what is in no block. */
  #mayCancel({ status, purpose, waitsFor, confirmations, cancelling }: Withdrawal): boolean {
    if (!may(this.context, 'withdrawal:write')) return false;
    if (waitsFor?.reason === 'destination') return true;
    const isOpen = status === 'waiting' || status === 'to_sign' || status === 'sent';
    return this.#isManager && purpose !== 'gas' && isOpen && confirmations === 0 && !cancelling;
  }

  #withdrawal(withdrawal: Withdrawal) {
    const { id, code, purpose, status, amount, spent, destination, waitsFor, failure, heldUntil, createdAt } =
      withdrawal;
    const time = heldUntil === null ? '' : this.context.format.momentText(heldUntil);
    const isOpen = this.opened === id;
    return html`<li class="withdrawal">
      <button
        class="row withdrawal-row"
        type="button"
        aria-expanded=${isOpen ? 'true' : 'false'}
        @click=${() => (this.opened = isOpen ? null : id)}
      >
        <span class="row-words">
          <span class="row-title tabular">${this.context.format.coinUnits(amount ?? spent, code)}</span>
          <span class="row-text">${this.text(`crypto.purposes.${purpose}`)} · ${this.context.format.ago(createdAt)}</span>
          ${waitsFor === null ? nothing : html`<span class="row-text">${this.text(`crypto.waits.${waitsFor.reason}`, { time })}</span>`}
          ${withdrawal.cancelling ? html`<span class="row-text">${this.text('crypto.cancelling')}</span>` : nothing}
          ${failure === null ? nothing : html`<span class="row-text" dir="auto">${failure}</span>`}
          <span class="row-text address" dir="ltr">${destination}</span>
        </span>
        ${tag(this.text(`crypto.statuses.${status}`), tones[status] ?? null)}
        ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
      </button>
      ${
        this.#mayCancel(withdrawal)
          ? html`<div class="row-actions withdrawal-actions">
              ${button(this.text('crypto.cancel'), () => void this.#cancel(withdrawal), { isDisabled: this.busyWith === id })}
            </div>`
          : nothing
      }
      ${
        isOpen
          ? html`<withdrawal-detail
              .listed=${withdrawal}
              .maySubmit=${may(this.context, 'withdrawal:write')}
              @handed-in=${() => void this.#withdrawals.run()}
            ></withdrawal-detail>`
          : nothing
      }
    </li>`;
  }

  #walletSection() {
    return html`<section class="section">
      <div class="section-head">
        <h2 class="section-heading">${this.text('crypto.wallets')}</h2>
        <div class="head-filters">
          ${this.#filter('walletCode', cryptoCurrencyCodes, '')} ${this.#filter('walletState', walletStates, 'states')}
        </div>
      </div>
      ${loadView(this.#wallets, this.words, {
        skeleton: () => skeletonRows(3),
        empty: ({ rows: wallets }) =>
          wallets.length > 0
            ? null
            : emptyState(
                'wallet',
                this.text(this.walletState + this.walletCode === '' ? 'crypto.no_wallets' : 'crypto.none_such'),
                this.walletState + this.walletCode === '' ? this.text('crypto.no_wallets_text') : '',
              ),
        shown: ({ rows: wallets, hasMore }) =>
          html`${this.#balances(wallets, hasMore)}
            <ul class="panel plain-list">
              ${wallets.map((wallet) => this.#wallet(wallet))}
            </ul>
            ${hasMore ? this.#more(this.#wallets) : nothing}`,
      })}
    </section>`;
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
          ${this.text(`crypto.types.${walletType}`)} · ${this.context.format.ago(createdAt)}
          ${restsUntil === null ? nothing : html` · ${this.text('crypto.rests_until')} ${this.context.format.moment(restsUntil)}`}
        </span>
      </div>
      ${tag(this.text(`crypto.states.${walletState}`), tones[walletState] ?? null)}
      <div class="row-actions">
        <copy-value
          .value=${walletAddress}
          .what=${this.text('crypto.address')}
        ></copy-value>
        ${
          this.#isManager && isLive
            ? button(this.text('crypto.rotate'), () => void this.#rotate(wallet), { isDisabled: isBusy })
            : nothing
        }
        ${
          this.#isManager && sourcesOf(wallet).length > 0
            ? button(this.text('crypto.send'), () => void this.#send(wallet), { isDisabled: isBusy })
            : nothing
        }
      </div>
    </li>`;
  }
}
