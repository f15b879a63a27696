import { html, nothing } from 'lit';
import type { CreateWithdrawalInput, Wallet } from '../../../client/api.ts';
import { radioCards } from '../choices.ts';
import type { AccountContext } from '../context.ts';
import { trimmedValue, textField } from '../fields.ts';
import { addressView } from './address.ts';
import { partView, withdrawableParts } from './balance-parts.ts';

/** Funds of one wallet that a manager can withdraw. */
interface Source {
  wallet: Wallet;
  name: (typeof withdrawableParts)[number];
}

const unitsOf = ({ wallet, name }: Source) => BigInt(wallet.parts[name]);

/** Funds that can be withdrawn from the wallets, the largest first. */
export function withdrawableFunds(wallets: readonly Wallet[]): Source[] {
  return wallets
    .flatMap((wallet) => withdrawableParts.map((name) => ({ wallet, name })))
    .filter((source) => unitsOf(source) > 0n)
    .toSorted((one, other) => Number(unitsOf(other) - unitsOf(one)));
}

/** The choice is limited to the largest funds; the menu of each wallet offers its own. */
const MAX_SOURCES = 50;

/** Prompts for the funds to withdraw and their destination; null if dismissed. */
export async function promptWithdrawal(
  wallets: readonly Wallet[],
  context: AccountContext,
): Promise<CreateWithdrawalInput | null> {
  const text = (key: string) => context.i18n.text(`account.crypto.${key}`);
  const isOneWallet = wallets.length === 1;
  const options = withdrawableFunds(wallets)
    .slice(0, MAX_SOURCES)
    .map(({ wallet, name }) => {
      const { walletAddress, code, parts } = wallet;
      const address = isOneWallet ? nothing : addressView(walletAddress);
      return {
        ...{ value: `${name} ${walletAddress}`, input: { code, walletAddress, source: name } },
        text: html`${partView(name, parts[name], code, context)} ${address}`,
      };
    });
  const values = await context.prompt({
    heading: text(isOneWallet ? 'withdraw_title' : 'withdraw'),
    text: html`<p>${text('withdraw_text')}</p>`,
    fields: html`${radioCards({
      ...{ legend: text('withdraw_parts'), name: 'source', selected: options[0]?.value },
      options,
    })}
      ${textField({
        ...{ id: 'withdrawal-destination', name: 'destination', maxlength: 128, dir: 'ltr' },
        label: text('destination'),
        hint: text('destination_hint'),
      })}`,
    confirm: text('withdraw'),
    isDestructive: true,
  });
  if (values === null) return null;
  const destination = trimmedValue(values, 'destination');
  if (destination === '') {
    context.announce(text('destination_missing'));
    return null;
  }
  const chosen = options.find(({ value }) => value === trimmedValue(values, 'source')) ?? options[0];
  return chosen === undefined ? null : { ...chosen.input, destination };
}
