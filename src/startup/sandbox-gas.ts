import type { Service } from '../app.ts';

/** Ether that the sandbox's gas wallet gets, which has no operator to fill it: ten. */
const ENOUGH = 10n ** 19n;

/** Sees to it that tokens can be moved on a simulated chain. */
export async function fillSandboxGasWallet({ simulatedChains: { ethereum }, invoices }: Service): Promise<void> {
  const connected = invoices.context.chains.all.find(({ chain }) => chain === ethereum);
  if (!ethereum || !connected) return;
  const spender = await connected.spender();
  if (spender.kind !== 'accounts') return;
  const { address } = spender.gasWallet;
  const has = (await spender.etherOf([address], await ethereum.tip())).get(address) ?? 0n;
  if (has === 0n) await ethereum.pay({ address, code: 'eth', amount: ENOUGH });
}
