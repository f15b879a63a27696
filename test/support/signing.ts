import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { simulatedBitcoinNetwork } from '../../src/chains/simulated/chain.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';

/** Service key of fixtures whose simulated accounts a test signs for. */
export const SERVICE_KEY = 'ab'.repeat(32);

/** Signs a PSBT of the simulated chain with the sandbox seed. */
export async function signPsbt(psbt: string): Promise<string> {
  const seed = deriveSandboxSeed(Buffer.from(SERVICE_KEY, 'hex'));
  const { publicKey: accountKey, privateKey } = await deriveAccount(seed, 'bitcoin', { isTest: true });
  return (await createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey }).sign(psbt)).raw;
}
