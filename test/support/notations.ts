import type { AccountKeys } from '../../src/chains/family.ts';
import { deriveAccount, extendedKeyCoder } from '../../src/chains/seed-accounts.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';
import { findSimulatedNetwork } from '../../src/chains/simulated/chain-kinds.ts';
import { type BitcoinChainName, type ChainName, chains } from '../../src/shared/crypto-currency.ts';
import { readConfig } from '../../src/config.ts';

const coder = await extendedKeyCoder();

/** Keys of a sandbox account, for a service key in hexadecimal. */
export async function sandboxKeys(serviceKey: string, chain: ChainName): Promise<AccountKeys> {
  return await deriveAccount(deriveSandboxSeed(Buffer.from(serviceKey, 'hex')), chain, { isTest: true });
}

/**
 * An account's public key in each notation of its network's wallets (tpub, vpub, …), with and without its origin, as
 * parsed from the setting.
 */
export function notationsOf(chain: BitcoinChainName, { publicKey, origin }: AccountKeys): string[] {
  const key = coder.decode(publicKey).subarray(4);
  const path = [origin.fingerprint.toString(16).padStart(8, '0'), ...origin.path.map((step) => `${step - 2 ** 31}h`)];
  const coin = chains[chain].feeCode.toUpperCase();
  return findSimulatedNetwork(chain).extendedKeys.flatMap(({ public: version }) => {
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(version);
    const text = coder.encode(Buffer.concat([prefix, key]));
    return [text, `[${path.join('/')}]${text}`].map((written) => {
      const { [chain]: settings } = readConfig({
        [`CHAIN_${coin}_URL`]: 'http://127.0.0.1:1',
        [`CHAIN_${coin}_NETWORK`]: 'regtest',
        [`CHAIN_${coin}_ACCOUNT_KEY`]: written,
      });
      return settings?.accountKey ?? '';
    });
  });
}
