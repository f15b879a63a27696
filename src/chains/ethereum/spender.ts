import { type TransferRequest, type AccountSpender, type BuildResult, SignedTransactionMismatch } from '../spender.ts';
import { deriveAddress, GAS_WALLET } from './addresses.ts';
import type { EthereumChain } from './chain.ts';
import { requireAddress } from './checksum.ts';
import { encodeTransfer } from './erc20.ts';
import { type EthereumNetwork, findToken } from './networks.ts';
import { isToken } from './tokens.ts';
import { createSignerAt } from './signing.ts';
import {
  keccak256,
  parseSigned,
  parseUnsigned,
  type ParsedTransaction,
  type TransactionFields,
  serializeUnsigned,
} from './transaction.ts';
import {
  buildCancellation,
  ETHER_GAS_LIMIT,
  buildGasFunding,
  buildEtherSweep,
  TOKEN_GAS_LIMIT,
  type Transfer,
  buildTokenTransfer,
} from './transfers.ts';

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Transfers of an account's wallets, signed here where its private key is. */
export function createEthereumSpender({
  network,
  accountKey,
  privateKey,
  node,
}: {
  network: EthereumNetwork;
  accountKey: string;
  privateKey: string | null;
  node: Pick<EthereumChain, 'nextNonce' | 'estimateGas' | 'balances'>;
}): AccountSpender {
  return {
    kind: 'accounts',
    canSign: privateKey !== null,
    gasWallet: { address: deriveAddress(accountKey, GAS_WALLET), path: GAS_WALLET },
    etherGasLimit: ETHER_GAS_LIMIT,
    tokenGasLimit: TOKEN_GAS_LIMIT,

    buildEtherSweep({ spent, ...order }) {
      const transfer = buildEtherSweep({ ...transferOptions(network, order), to: order.to, balance: spent });
      if (!transfer) return { kind: 'too_little', fee: order.gasLimit * order.feeRate };
      return toBuildResult(transfer, transfer.value);
    },

    buildTokenTransfer({ code, amount, ...order }) {
      if (!isToken(code)) throw new RangeError(`${code} is no token`);
      return toBuildResult(
        buildTokenTransfer({ ...transferOptions(network, order), code, to: order.to, amount }),
        amount,
      );
    },

    buildGasFunding: ({ amount, ...order }) =>
      toBuildResult(buildGasFunding({ ...transferOptions(network, order), to: order.to, amount }), amount),

    buildCancellation: (order) =>
      toBuildResult(buildCancellation({ ...transferOptions(network, order), to: order.to }), 0n),

    async sign(unsigned, path) {
      if (privateKey === null) throw new Error('The account’s private key is not here');
      return createSignerAt(privateKey, path).sign(parseUnsigned(unsigned));
    },

    async verifySigned(unsigned, signedText, sender) {
      const text = signedText.trim();
      if (!rawTransactionPattern.test(text) || !text.toLowerCase().startsWith('0x02'))
        throw new SignedTransactionMismatch(
          'It is no signed transaction of type 2 (EIP-1559) in hexadecimal, with 0x before it.',
        );
      const raw = text.toLowerCase();
      const signed = requireSigned(raw);
      if (signed.unsigned !== unsigned) {
        const difference = firstDifference(parseUnsigned(unsigned), signed.fields);
        throw new SignedTransactionMismatch(`It is another transaction than the one to sign: ${difference}.`);
      }
      if (signed.sender !== requireAddress(sender))
        throw new SignedTransactionMismatch(
          `It is signed with the key of ${signed.sender} and not with that of ${sender}.`,
        );
      return { raw, txHash: keccak256(raw) };
    },

    nextNonce: async (address) => await node.nextNonce(address),

    async estimateGas({ code, from, to, amount }) {
      const token = findToken(network, code);
      const transfer = token
        ? { to: token.address, value: 0n, data: encodeTransfer(requireAddress(to), amount) }
        : { to, value: amount, data: '0x' as const };
      return await node.estimateGas(from, transfer);
    },

    etherBalances: async (addresses, at) => await node.balances('eth', addresses, at),
  };
}

function transferOptions(network: EthereumNetwork, { nonce, feeRate, priorityFee, gasLimit: gas }: TransferRequest) {
  const maxPriorityFeePerGas = priorityFee < feeRate ? priorityFee : feeRate;
  return { network, nonce, gas, caps: { maxFeePerGas: feeRate, maxPriorityFeePerGas } };
}

function toBuildResult(transfer: Transfer, amount: bigint): BuildResult {
  const fee = transfer.gasLimit * transfer.maxFeePerGas;
  return { kind: 'built', data: serializeUnsigned(transfer), txHash: null, amount, fee };
}

function requireSigned(raw: string): ParsedTransaction {
  try {
    const signed = parseSigned(raw);
    if (signed) return signed;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new SignedTransactionMismatch(`It cannot be read: ${reason}`);
  }
  throw new SignedTransactionMismatch('It is not signed.');
}

/** What is wrong first, for whoever reads it. */
function firstDifference(expected: TransactionFields, actual: TransactionFields): string {
  const { chainId, nonce, to, value, data } = actual;
  if (chainId !== expected.chainId) return `it is for chain ${chainId} and not for ${expected.chainId}`;
  if (to !== expected.to) return `it goes to ${to} and not to ${expected.to}`;
  if (value !== expected.value) return `it sends ${value} wei and not ${expected.value}`;
  if (data !== expected.data) return 'the call of the token is another one';
  if (nonce !== expected.nonce) return `its nonce is ${nonce} and not ${expected.nonce}`;
  return 'its gas or its fees are others';
}
