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
  buildTokenTransfer,
} from './transfers.ts';

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Builds and signs transfers of an account's wallets. */
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
    kind: 'account',
    canSign: privateKey !== null,
    gasWallet: { address: deriveAddress(accountKey, GAS_WALLET), path: GAS_WALLET },
    etherGasLimit: ETHER_GAS_LIMIT,
    tokenGasLimit: TOKEN_GAS_LIMIT,

    buildEtherSweep({ spent, ...request }) {
      const transfer = buildEtherSweep({ ...transferOptions(network, request), to: request.to, balance: spent });
      if (!transfer) return { kind: 'too_little', fee: request.gasLimit * request.feeRate };
      return toBuildResult(transfer, transfer.value);
    },

    buildTokenTransfer({ code, amount, ...request }) {
      if (!isToken(code)) throw new RangeError(`${code} is not a token.`);
      return toBuildResult(
        buildTokenTransfer({ ...transferOptions(network, request), code, to: request.to, amount }),
        amount,
      );
    },

    buildGasFunding: ({ amount, ...request }) =>
      toBuildResult(buildGasFunding({ ...transferOptions(network, request), to: request.to, amount }), amount),

    buildCancellation: (request) =>
      toBuildResult(buildCancellation({ ...transferOptions(network, request), to: request.to }), 0n),

    async sign(unsigned, path) {
      if (privateKey === null) throw new Error('The account’s private key is not available.');
      return createSignerAt(privateKey, path).sign(parseUnsigned(unsigned));
    },

    async verifySigned(unsigned, signedText, sender) {
      const text = signedText.trim();
      if (!rawTransactionPattern.test(text) || !text.toLowerCase().startsWith('0x02'))
        throw new SignedTransactionMismatch(
          'This is not a signed transaction of type 2 (EIP-1559) in hexadecimal, with 0x.',
        );
      const raw = text.toLowerCase();
      const signed = requireSigned(raw);
      if (signed.unsigned !== unsigned) {
        const difference = firstDifference(parseUnsigned(unsigned), signed.fields);
        throw new SignedTransactionMismatch(`The signed transaction differs from the one to sign: ${difference}.`);
      }
      if (signed.sender !== requireAddress(sender))
        throw new SignedTransactionMismatch(`It is signed with the key of ${signed.sender} instead of ${sender}.`);
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

    etherBalances: async (addresses, at) => await node.balances(network.feeCode, addresses, at),
  };
}

function transferOptions(network: EthereumNetwork, { nonce, feeRate, priorityFee, gasLimit }: TransferRequest) {
  const maxPriorityFeePerGas = priorityFee < feeRate ? priorityFee : feeRate;
  return { network, nonce, gasLimit, caps: { maxFeePerGas: feeRate, maxPriorityFeePerGas } };
}

function toBuildResult(transfer: TransactionFields, amount: bigint): BuildResult {
  const fee = transfer.gasLimit * transfer.maxFeePerGas;
  return { kind: 'built', data: serializeUnsigned(transfer), txHash: null, amount, fee };
}

function requireSigned(raw: string): ParsedTransaction {
  try {
    const signed = parseSigned(raw);
    if (signed) return signed;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new SignedTransactionMismatch(`The transaction is malformed: ${reason}`);
  }
  throw new SignedTransactionMismatch('The transaction is not signed.');
}

/** Describes the first difference. */
function firstDifference(expected: TransactionFields, actual: TransactionFields): string {
  const { chainId, nonce, to, value, data } = actual;
  if (chainId !== expected.chainId) return `it is for chain ${chainId} instead of ${expected.chainId}`;
  if (to !== expected.to) return `it pays ${to} instead of ${expected.to}`;
  if (value !== expected.value) return `it sends ${value} wei instead of ${expected.value}`;
  if (data !== expected.data) return 'its token call differs';
  if (nonce !== expected.nonce) return `its nonce is ${nonce} instead of ${expected.nonce}`;
  return 'its gas limit or fees differ';
}
