import type { NameResolver } from '../../src/http/outbound.ts';

/** A resolver whose names have the addresses that `addressesOf` returns, called once per name. */
export function resolverOf(addressesOf: (hostname: string) => readonly string[]): NameResolver {
  let addresses: readonly string[] = [];
  const resolve = (isMatching: (address: string) => boolean) => {
    const found = addresses.filter(isMatching);
    return found.length > 0 ? Promise.resolve(found) : Promise.reject(new Error('ENODATA'));
  };
  return {
    resolve4(hostname) {
      addresses = addressesOf(hostname);
      return resolve((address) => !address.includes(':'));
    },
    resolve6: () => resolve((address) => address.includes(':')),
  };
}
