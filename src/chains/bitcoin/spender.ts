import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { type SpendableOutput, type UtxoSpender, SignedTransactionMismatch } from '../spender.ts';
import type { KeyOrigin } from '../family.ts';
import { createBitcoinAddresses } from './addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { signatureProblem } from './signature.ts';
import { buildSweep, inputFee, type OwnOutput, signSweep } from './sweep.ts';

/** Maximum inputs of a sweep. Signing them takes half a second; nodes relay ten times as many. */
const MAX_INPUTS = 100;

/** Builds and signs sweeps of an account. */
export function createBitcoinSpender({
  network,
  accountKey,
  privateKey,
  origin = null,
}: {
  network: NetworkParameters;
  accountKey: string;
  privateKey: string | null;
  /** Origin of the account key, by which signers that hold the seed find their keys. */
  origin?: KeyOrigin | null;
}): UtxoSpender {
  const addresses = createBitcoinAddresses(network);

  function parseSigned(text: string): Transaction {
    try {
      if (/^[0-9a-f]+$/i.test(text)) return Transaction.fromRaw(hex.decode(text.toLowerCase()));
      const transaction = Transaction.fromPSBT(base64.decode(text));
      if (!transaction.isFinal) transaction.finalize();
      return transaction;
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
      throw new SignedTransactionMismatch(
        `This is not a signed transaction in hexadecimal or PSBT in base64: ${reason}`,
      );
    }
  }

  return {
    kind: 'utxo',
    canSign: privateKey !== null,
    maxInputs: MAX_INPUTS,
    feePerInput: inputFee,

    build({ outputs, destination, feeRate }) {
      const signer = privateKey === null ? 'any' : 'account_key';
      const ownOutputs = outputs.map(toOwnOutput);
      const request = { network, accountKey, outputs: ownOutputs, destination, feeRate, signer } as const;
      const sweep = buildSweep({ ...request, ...(origin && { origin }) });
      if (sweep.kind === 'refused') {
        if (sweep.reason === 'too_many') throw new RangeError(`${outputs.length} inputs exceed the maximum weight.`);
        return { kind: 'too_little', fee: sweep.fee };
      }
      const { psbt: data, txid: txHash, amount, fee } = sweep;
      return { kind: 'built', data, txHash, amount, fee };
    },

    async sign(unsigned) {
      if (privateKey === null) throw new Error('The account’s private key is not available.');
      const { raw, txid: txHash } = signSweep({ network, accountKey: privateKey, psbt: unsigned });
      return await Promise.resolve({ raw, txHash });
    },

    async verifySigned(unsigned, signedText) {
      const expected = Transaction.fromPSBT(base64.decode(unsigned));
      const signed = parseSigned(signedText.trim());
      // The ID commits to inputs, output and amount; segwit signatures are not part of it (BIP 141).
      if (signed.id !== expected.id) {
        const difference = firstDifference(expected, signed, network);
        throw new SignedTransactionMismatch(`The signed transaction differs from the one to sign: ${difference}.`);
      }
      for (let input = 0; input < expected.inputsLength; input += 1) {
        const { witnessUtxo, bip32Derivation } = expected.getInput(input);
        const index = bip32Derivation?.[0]?.[1].path.at(-1);
        if (!witnessUtxo || index === undefined)
          throw new Error('The unsigned transaction has an input without an output.');
        const output = { address: addresses.derive(accountKey, index), amount: witnessUtxo.amount };
        const problem = signatureProblem(signed, input, output, network);
        if (problem !== null) throw new SignedTransactionMismatch(problem);
      }
      return await Promise.resolve({ raw: signed.hex, txHash: signed.id });
    },
  };
}

function toOwnOutput({ paymentKey, amount, index }: SpendableOutput): OwnOutput {
  const [txid = '', vout = ''] = paymentKey.split(':');
  return { txid, vout: Number(vout), amount, index };
}

/** Describes the first difference. */
function firstDifference(expected: Transaction, actual: Transaction, network: NetworkParameters): string {
  const inputsOf = (transaction: Transaction) =>
    Array.from({ length: transaction.inputsLength }, (_, input) => {
      const { txid, index } = transaction.getInput(input);
      return `${txid ? hex.encode(txid) : ''}:${index}`;
    });
  if (inputsOf(expected).join() !== inputsOf(actual).join()) return 'its inputs differ';
  if (actual.outputsLength !== expected.outputsLength) return `it has ${actual.outputsLength} outputs`;
  const destination = expected.getOutputAddress(0, network);
  const actualDestination = actual.getOutputAddress(0, network);
  if (destination !== actualDestination)
    return `it pays ${actualDestination ?? 'no address'} instead of ${destination}`;
  const [amount, actualAmount] = [expected.getOutput(0).amount, actual.getOutput(0).amount];
  if (amount !== actualAmount) return `it pays ${actualAmount} instead of ${amount}`;
  return 'its version, sequence numbers or lock time differ';
}
