import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import type { Wallet } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { selectField, type Tone } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { promptWithdrawal } from './withdraw-prompt.ts';

export const PER_PAGE = 50;
export const REFRESH_DELAY_MS = 500;

export const stateTones: Readonly<Record<string, Tone>> = {
  ...{ assigned: 'good', rotated: 'warn', to_sign: 'warn', confirmed: 'good', failed: 'bad' },
};

/**
 * A section of the crypto page.
 *
 * @fires crypto-change - wallets or withdrawals have changed
 */
export abstract class CryptoSection extends AccountElement {
  @state() protected busyId: string | null = null;

  protected get isManager(): boolean {
    return this.context.account?.person.isManager ?? false;
  }

  protected async runAction(id: string, action: () => Promise<unknown>, message: string) {
    this.busyId = id;
    try {
      await action();
      this.context.announce(message);
      this.emit('crypto-change', null);
    } catch (error) {
      const problem = toProblem(error);
      this.context.announce(problem.errors[0]?.detail ?? this.problemSentence(problem));
    }
    this.busyId = null;
  }

  /** Withdraws funds of one of the wallets. `id` is busy until the request ends. */
  protected async withdraw(id: string, wallets: readonly Wallet[]) {
    // Left while the wallets were read.
    const body = this.isConnected ? await promptWithdrawal(wallets, this.context) : null;
    if (body === null) return;
    const create = async () => await this.context.api.createWithdrawal(body);
    await this.runAction(id, create, this.text('crypto.withdraw_requested'));
  }

  /** The filters of a list; none while there is nothing to filter. */
  protected filterGroup(rows: readonly unknown[] | undefined, isUnfiltered: boolean, fields: unknown) {
    return isUnfiltered && rows?.length === 0 ? nothing : html`<div class="head-filters">${fields}</div>`;
  }

  /** A filter. Its first option, labeled with its name, selects all. */
  protected filterField(
    id: 'walletState' | 'walletCode' | 'withdrawalStatus',
    value: string,
    options: readonly (readonly [string, string])[],
    change: (value: string) => void,
  ) {
    const label = this.text(`crypto.filter.${id}`);
    return selectField({ id, label, isLabelHidden: true, value, options: [['', label], ...options], change });
  }
}
