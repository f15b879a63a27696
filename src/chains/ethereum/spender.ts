import { type AccountOrder, type AccountSpender, type Built, NotThisTransaction } from '../spender.ts';
import { addressAt, GAS_WALLET } from './addresses.ts';
import type { EthereumChain } from './chain.ts';
import { addressFrom } from './checksum.ts';
import { transferCall } from './erc20.ts';
import { type EthereumNetwork, tokenOf } from './networks.ts';
import { isToken } from './tokens.ts';
import { signerAt } from './signing.ts';
import {
  keccak256,
  readSigned,
  readUnsigned,
  type SignedTransaction,
  type TransactionFields,
  unsignedForm,
} from './transaction.ts';
import {
  cancelTransfer,
  ETHER_GAS,
  fundGas,
  sweepEther,
  TOKEN_GAS,
  type Transfer,
  transferToken,
} from './transfers.ts';

const rawForm = /^0x(?:[0-9a-f]{2})+$/i;

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
  node: Pick<EthereumChain, 'nextNonce' | 'gasFor' | 'balances'>;
}): AccountSpender {
  return {
    kind: 'accounts',
    canSign: privateKey !== null,
    gasWallet: { address: addressAt(accountKey, GAS_WALLET), path: GAS_WALLET },
    etherGas: ETHER_GAS,
    tokenGas: TOKEN_GAS,

    buildEther({ spent, ...order }) {
      const transfer = sweepEther({ ...circumstances(network, order), to: order.to, balance: spent });
      if (!transfer) return { kind: 'too_little', fee: order.gas * order.feeRate };
      return built(transfer, transfer.value);
    },

    buildToken({ code, amount, ...order }) {
      if (!isToken(code)) throw new RangeError(`${code} is no token`);
      return built(transferToken({ ...circumstances(network, order), code, to: order.to, amount }), amount);
    },

    buildFunding: ({ amount, ...order }) =>
      built(fundGas({ ...circumstances(network, order), to: order.to, amount }), amount),

    buildCancel: (order) => built(cancelTransfer({ ...circumstances(network, order), to: order.to }), 0n),

    async sign(unsigned, path) {
      if (privateKey === null) throw new Error('The account’s private key is not here');
      return signerAt(privateKey, path).sign(readUnsigned(unsigned));
    },

    async read(unsigned, given, sender) {
      const text = given.trim();
      if (!rawForm.test(text) || !text.toLowerCase().startsWith('0x02'))
        throw new NotThisTransaction(
          'It is no signed transaction of type 2 (EIP-1559) in hexadecimal, with 0x before it.',
        );
      const raw = text.toLowerCase();
      const signed = readGiven(raw);
      if (signed.unsigned !== unsigned) {
        const difference = differenceOf(readUnsigned(unsigned), signed.fields);
        throw new NotThisTransaction(`It is another transaction than the one to sign: ${difference}.`);
      }
      if (signed.sender !== addressFrom(sender))
        throw new NotThisTransaction(`It is signed with the key of ${signed.sender} and not with that of ${sender}.`);
      return { raw, txHash: keccak256(raw) };
    },

    nextNonce: async (address) => await node.nextNonce(address),

    async gasFor({ code, from, to, amount }) {
      const token = tokenOf(network, code);
      const transfer = token
        ? { to: token.address, value: 0n, data: transferCall(addressFrom(to), amount) }
        : { to, value: amount, data: '0x' as const };
      return await node.gasFor(from, transfer);
    },

    etherOf: async (addresses, at) => await node.balances('eth', addresses, at),
  };
}

function circumstances(network: EthereumNetwork, { nonce, feeRate, priority, gas }: AccountOrder) {
  const maxPriorityFeePerGas = priority < feeRate ? priority : feeRate;
  return { network, nonce, gas, caps: { maxFeePerGas: feeRate, maxPriorityFeePerGas } };
}

function built(transfer: Transfer, amount: bigint): Built {
  const fee = transfer.gas * transfer.maxFeePerGas;
  return { kind: 'built', data: unsignedForm(transfer), txHash: null, amount, fee };
}

function readGiven(raw: string): SignedTransaction {
  try {
    const signed = readSigned(raw);
    if (signed) return signed;
  } catch (error) {
    const [words] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new NotThisTransaction(`It cannot be read: ${words}`);
  }
  throw new NotThisTransaction('It is not signed.');
}

/** What is wrong first, for whoever reads it. */
function differenceOf(wanted: TransactionFields, given: TransactionFields): string {
  const { chainId, nonce, to, value, data } = given;
  if (chainId !== wanted.chainId) return `it is for chain ${chainId} and not for ${wanted.chainId}`;
  if (to !== wanted.to) return `it goes to ${to} and not to ${wanted.to}`;
  if (value !== wanted.value) return `it sends ${value} wei and not ${wanted.value}`;
  if (data !== wanted.data) return 'the call of the token is another one';
  if (nonce !== wanted.nonce) return `its nonce is ${nonce} and not ${wanted.nonce}`;
  return 'its gas or its fees are others';
}
