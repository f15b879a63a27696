import type { Transaction } from '@scure/btc-signer';
import type { NetworkParameters } from '../bitcoin/parameters.ts';
import { signatureProblem } from '../bitcoin/signature.ts';
import { Refusal } from './sending.ts';

/** Throws a `Refusal` where an input does not show that who sends it may spend a P2WPKH output. */
export function requireSigned(
  transaction: Transaction,
  input: number,
  output: { address: string; amount: bigint },
  network: NetworkParameters,
): void {
  const problem = signatureProblem(transaction, input, output, network);
  if (problem !== null) throw new Refusal(problem);
}
