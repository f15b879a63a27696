import { state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { selectField, type Tone } from '../parts.ts';
import { toProblem } from '../problems.ts';

export const PER_PAGE = 50;
export const REFRESH_AFTER_MS = 500;

export const tones: Readonly<Record<string, Tone>> = {
  ...{ serving: 'good', rotated: 'warn', to_sign: 'warn', confirmed: 'good', failed: 'bad' },
};

/**
 * A list of the crypto page.
 *
 * @fires crypto-change - wallets or withdrawals have changed
 */
export abstract class CryptoList extends AccountElement {
  @state() protected busyWith: string | null = null;

  protected get isManager(): boolean {
    return this.context.account?.person.isManager ?? false;
  }

  protected async run(name: string, act: () => Promise<unknown>, done: string) {
    this.busyWith = name;
    try {
      await act();
      this.context.announce(done);
      this.emit('crypto-change', null);
    } catch (error) {
      const problem = toProblem(error);
      this.context.announce(problem.errors[0]?.detail ?? this.problemSentence(problem));
    }
    this.busyWith = null;
  }

  /** A filter whose first option is its name: all. */
  protected filter(
    name: 'walletState' | 'walletCode' | 'withdrawalStatus',
    value: string,
    options: readonly (readonly [string, string])[],
    change: (value: string) => void,
  ) {
    const label = this.text(`crypto.filter.${name}`);
    return selectField({ id: name, label, isLabelHidden: true, value, options: [['', label], ...options], change });
  }
}
