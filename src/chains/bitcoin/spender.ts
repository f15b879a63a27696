import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { type Coin, type CoinSpender, NotThisTransaction } from '../spender.ts';
import type { KeyOrigin } from './account-key.ts';
import { createBitcoinAddresses } from './addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { signatureProblem } from './signature.ts';
import { buildSweep, feeOfInput, type OwnOutput, signSweep } from './sweep.ts';

/** A few seconds of signing, a tenth of what nodes relay. */
const MOST_COINS = 100;

/** Sweeps of an account, signed here where its private key is. */
export function createBitcoinSpender({
  network,
  accountKey,
  privateKey,
  origin = null,
}: {
  network: NetworkParameters;
  accountKey: string;
  privateKey: string | null;
  /** By which signers that hold the seed know their keys. */
  origin?: KeyOrigin | null;
}): CoinSpender {
  const addresses = createBitcoinAddresses(network);

  function readGiven(text: string): Transaction {
    try {
      if (/^[0-9a-f]+$/i.test(text)) return Transaction.fromRaw(hex.decode(text.toLowerCase()));
      const transaction = Transaction.fromPSBT(base64.decode(text));
      if (!transaction.isFinal) transaction.finalize();
      return transaction;
    } catch (error) {
      const [words] = (error instanceof Error ? error.message : String(error)).split('\n');
      throw new NotThisTransaction(`It is no signed transaction, in hexadecimal or as PSBT in base64: ${words}`);
    }
  }

  return {
    kind: 'coins',
    canSign: privateKey !== null,
    mostCoins: MOST_COINS,
    costOfCoin: feeOfInput,

    build({ coins, destination, feeRate }) {
      const signer = privateKey === null ? 'any' : 'account_key';
      const outputs = coins.map(outputOf);
      const order = { network, accountKey, outputs, destination, feeRate, signer } as const;
      const sweep = buildSweep({ ...order, ...(origin && { origin }) });
      if (sweep.kind === 'refused') {
        if (sweep.reason === 'too_many') throw new RangeError(`${coins.length} inputs are too many`);
        return { kind: 'too_little', fee: sweep.fee };
      }
      const { psbt: data, txid: txHash, amount, fee } = sweep;
      return { kind: 'built', data, txHash, amount, fee };
    },

    async sign(unsigned) {
      if (privateKey === null) throw new Error('The account’s private key is not here');
      const { raw, txid: txHash } = signSweep({ network, accountKey: privateKey, psbt: unsigned });
      return await Promise.resolve({ raw, txHash });
    },

    async read(unsigned, given) {
      const wanted = Transaction.fromPSBT(base64.decode(unsigned));
      const signed = readGiven(given.trim());
      // The name stands for inputs, output and amount; signatures of segregated witnesses are no part of it (BIP 141).
      if (signed.id !== wanted.id) {
        const difference = differenceOf(wanted, signed, network);
        throw new NotThisTransaction(`It is another transaction than the one to sign: ${difference}.`);
      }
      for (let input = 0; input < wanted.inputsLength; input += 1) {
        const { witnessUtxo, bip32Derivation } = wanted.getInput(input);
        const index = bip32Derivation?.[0]?.[1].path.at(-1);
        if (!witnessUtxo || index === undefined) throw new Error('An input of ours names no output');
        const output = { address: addresses.derive(accountKey, index), amount: witnessUtxo.amount };
        const problem = signatureProblem(signed, input, output, network);
        if (problem !== null) throw new NotThisTransaction(problem);
      }
      return await Promise.resolve({ raw: signed.hex, txHash: signed.id });
    },
  };
}

function outputOf({ paymentKey, amount, index }: Coin): OwnOutput {
  const [txid = '', vout = ''] = paymentKey.split(':');
  return { txid, vout: Number(vout), amount, index };
}

/** What is wrong first, for whoever reads it. */
function differenceOf(wanted: Transaction, given: Transaction, network: NetworkParameters): string {
  const inputsOf = (transaction: Transaction) =>
    Array.from({ length: transaction.inputsLength }, (_, place) => {
      const { txid, index } = transaction.getInput(place);
      return `${txid ? hex.encode(txid) : ''}:${index}`;
    });
  if (inputsOf(wanted).join() !== inputsOf(given).join()) return 'its inputs are others';
  if (given.outputsLength !== wanted.outputsLength) return `it has ${given.outputsLength} outputs`;
  const destination = wanted.getOutputAddress(0, network);
  const given0 = given.getOutputAddress(0, network);
  if (destination !== given0) return `it pays to ${given0 ?? 'no address'} and not to ${destination}`;
  const [amount, other] = [wanted.getOutput(0).amount, given.getOutput(0).amount];
  if (amount !== other) return `it pays ${other} and not ${amount}`;
  return 'its version, sequence numbers or lock time are others';
}
