import type { Service } from '../app.ts';
import { accountChains, chains } from '../shared/crypto-currency.ts';

/** Ether that the sandbox's gas wallet gets, which has no operator to fill it: ten. */
const ENOUGH = 10n ** 19n;

/** Sees to it that tokens can be moved on a simulated chain. */
export async function fillSandboxGasWallet({ simulatedChains, invoices }: Service): Promise<void> {
  for (const name of accountChains) {
    const simulated = simulatedChains[name];
    const connected = invoices.context.chains.all.find(({ chain }) => chain === simulated);
    if (!simulated || !connected) continue;
    const spender = await connected.spender();
    if (spender.kind !== 'accounts') continue;
    const { address } = spender.gasWallet;
    const has = (await spender.etherOf([address], await simulated.tip())).get(address) ?? 0n;
    if (has === 0n) await simulated.pay({ address, code: chains[name].feeCode, amount: ENOUGH });
  }
}
