import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createContract, deployContract } from 'micro-eth-signer/abi.js';
import { requireAddress } from '../../src/chains/ethereum/checksum.ts';
import { encodeBalanceOf, encodeTransfer } from '../../src/chains/ethereum/erc20.ts';
import { packageRoot } from '../../src/system/root.ts';
import type { Anvil } from './anvil.ts';
import { assemble, creationOf } from './evm.ts';

interface AbiEntry {
  type: string;
  name?: string;
  inputs: { name: string; type: string }[];
}

interface Artifact {
  abi: AbiEntry[];
  bytecode: string;
}

/** Any node that can deploy a contract. */
type TestNode = Pick<Anvil, 'call' | 'send' | 'mine'>;

/** A deployed contract. */
export interface Deployed {
  address: string;
  /** Encodes a call as transaction data. */
  data(functionName: string, args?: readonly unknown[]): string;
}

function artifactOf(name: string): Artifact {
  const require = createRequire(join(packageRoot(), 'package.json'));
  return require(`@openzeppelin/contracts/build/contracts/${name}.json`) as Artifact;
}

/** Deploys a contract compiled by OpenZeppelin from the node's first account, and mines the block. */
async function deployArtifact(node: TestNode, name: string, args: readonly unknown[]): Promise<Deployed> {
  const { abi, bytecode } = artifactOf(name);
  const address = await deploy(node, deployContract(abi as never, bytecode, named(abi, 'constructor', args) as never));
  const contract = createContract(abi as never) as Record<string, { encodeInput(given: unknown): Uint8Array }>;
  return {
    address,
    data(functionName, given = []) {
      const input = contract[functionName]?.encodeInput(named(abi, functionName, given));
      if (!input) throw new Error(`${name} has no ${functionName}`);
      return `0x${Buffer.from(input).toString('hex')}`;
    },
  };
}

/** Arguments in the encoder's format: by name if there are several. */
function named(abi: readonly AbiEntry[], name: string, args: readonly unknown[]): unknown {
  const { inputs = [] } = abi.find((entry) => (entry.name ?? entry.type) === name.split('(')[0]) ?? {};
  if (inputs.length < 2) return args[0];
  return Object.fromEntries(inputs.map((input, index) => [input.name, args[index]]));
}

async function deploy(node: TestNode, data: string): Promise<string> {
  const txHash = await node.send({ data });
  await node.mine();
  const receipt = await node.call<{ contractAddress: string; status: string }>('eth_getTransactionReceipt', [txHash]);
  if (receipt.status !== '0x1') throw new Error('The contract could not be deployed');
  return receipt.contractAddress;
}

/** An ERC-20 token with 18 decimals. Its creator may `mint` and `pause`; while paused, every transfer fails. */
export const deployToken = async (node: TestNode) =>
  await deployArtifact(node, 'ERC20PresetMinterPauser', ['Coin', 'C']);

/** Sends its ether to its beneficiary when anyone calls `release`, within that transaction. */
export const deployVestingWallet = async (node: TestNode, beneficiary: string) =>
  await deployArtifact(node, 'VestingWallet', [beneficiary, 0n, 0n]);

/** Balance of the creator of a token without a return value. */
const NO_RETURN_SUPPLY = 10n ** 15n;

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/*
 * A token whose `transfer` returns nothing, like USDT, which is older than ERC-20. Six decimals. The balance of an
 * address is in the slot of the address itself. Comments after `;` list the stack, with its top on the right. `credit`
 * starts with the amount, which was taken from the sender already.
 */
const tokenCode = (credit: string, poor = '0 0 revert') =>
  assemble(`
    0 calldataload 0xe0 shr                 ; selector: the first four bytes
    dup1 0xa9059cbb eq @transfer jumpi      ; transfer(address,uint256)
    dup1 0x70a08231 eq @balanceOf jumpi     ; balanceOf(address)
    0x313ce567 eq @decimals jumpi           ; decimals()
    poor: ${poor}
    transfer:
      0x24 calldataload caller sload        ; amount balance
      dup2 dup2 lt @poor jumpi              ; balance < amount
      dup2 swap1 sub caller sstore          ; amount, and the sender has balance - amount
      ${credit}
      stop
    balanceOf: 4 calldataload sload 0 mstore 0x20 0 return
    decimals: 6 0 mstore 0x20 0 return
  `);

/** Adds the top of the stack to the balance of an address, and keeps it there. */
const addTo = (address: string) => `dup1 ${address} sload add ${address} sstore`;
/** Emits Transfer(sender, address, top of the stack), and removes it from the stack. */
const emitTo = (address: string) => `0 mstore ${address} caller ${TRANSFER_TOPIC} 0x20 0 log3`;
const RECIPIENT = '4 calldataload';

const noReturnToken = tokenCode(`${addTo(RECIPIENT)} ${emitTo(RECIPIENT)}`);

const FEE_OWNER = '0xfee';
/** amount -> amount fee net; the fee is 1%. */
const splitFee = '100 dup2 div dup1 dup3 sub';

/** Events of a token with a fee: without the fee, or one for each part (as USDT does with its fee turned on). */
const feeTokens = {
  hidden: tokenCode(`${splitFee} ${addTo(RECIPIENT)} dup3 ${emitTo(RECIPIENT)}`),
  told: tokenCode(`${splitFee} ${addTo(RECIPIENT)} dup2 ${addTo(FEE_OWNER)} ${emitTo(FEE_OWNER)} ${emitTo(RECIPIENT)}`),
};

/*
 * A rebasing token: addresses own shares, and a balance is shares times the factor in slot 1, in hundredths. Anyone
 * may set the factor, which changes every balance without an event.
 */
const rebasingToken = assemble(`
    0 calldataload 0xe0 shr
    dup1 0xa9059cbb eq @transfer jumpi      ; transfer(address,uint256)
    dup1 0x70a08231 eq @balanceOf jumpi     ; balanceOf(address)
    dup1 0x313ce567 eq @decimals jumpi      ; decimals()
    0xfac70000 eq @rebase jumpi
    poor: 0 0 revert
    transfer:
      0x24 calldataload                     ; amount
      1 sload 100 dup3 mul div              ; amount shares
      caller sload                          ; amount shares owned
      dup2 dup2 lt @poor jumpi              ; owned < shares
      dup2 swap1 sub caller sstore          ; amount shares
      ${addTo(RECIPIENT)} pop ${emitTo(RECIPIENT)}
      stop
    balanceOf: 1 sload 4 calldataload sload mul 100 swap1 div 0 mstore 0x20 0 return
    decimals: 6 0 mstore 0x20 0 return
    rebase: 4 calldataload 1 sstore stop
  `);

/** The whole supply belongs to the node's first account, at a factor of 100. */
export async function deployRebasingToken(node: TestNode): Promise<string> {
  return await deploy(node, creationOf(rebasingToken, `100 1 sstore ${NO_RETURN_SUPPLY} caller sstore`));
}

/** Encodes a call that sets the factor of a rebasing token, in hundredths. */
export const rebaseData = (factor: number) => `0xfac70000${factor.toString(16).padStart(64, '0')}`;

/** Encodes `transfer` of any ERC-20 token. */
export const transferData = (to: string, amount: bigint) => encodeTransfer(requireAddress(to), amount);

/** Encodes `balanceOf` of any ERC-20 token. */
export const balanceData = (owner: string) => encodeBalanceOf(requireAddress(owner));

/** The whole supply belongs to the node's first account. */
export async function deployNoReturnToken(node: TestNode): Promise<string> {
  return await deploy(node, creationOf(noReturnToken, `${NO_RETURN_SUPPLY} caller sstore`));
}

/** A token without a return value, except for false if the sender has too little. */
export async function deployFalseToken(node: TestNode): Promise<string> {
  const code = tokenCode(`${addTo(RECIPIENT)} ${emitTo(RECIPIENT)}`, '0 0 mstore 0x20 0 return');
  return await deploy(node, creationOf(code, `${NO_RETURN_SUPPLY} caller sstore`));
}

/** A token without a return value, with a fee of 1% per transfer. */
export async function deployFeeToken(node: TestNode, fee: keyof typeof feeTokens): Promise<string> {
  return await deploy(node, creationOf(feeTokens[fee], `${NO_RETURN_SUPPLY} caller sstore`));
}

/** A contract that sends its tokens to several addresses in one transaction. */
export async function deployBatchSender(
  node: TestNode,
  token: string,
  payments: readonly { to: string; amount: bigint }[],
): Promise<string> {
  const calls = payments.map(
    ({ to, amount }) => `${to} 4 mstore ${amount} 0x24 mstore 0 0 0x44 0 0 ${token} gas call pop`,
  );
  return await deploy(node, creationOf(assemble(`0xa9059cbb 0xe0 shl 0 mstore ${calls.join(' ')} stop`)));
}

/**
 * A contract that sends its tokens to one address, on the first call by anyone. Later calls do nothing and do
 * not fail.
 */
export async function deployOneTimeSender(
  node: TestNode,
  { token, to, amount }: { token: string; to: string; amount: bigint },
): Promise<string> {
  const code = assemble(`
    0 sload @paid jumpi
    1 0 sstore
    0xa9059cbb 0xe0 shl 0 mstore ${to} 4 mstore ${amount} 0x24 mstore
    0 0 0x44 0 0 ${token} gas call stop   ; transfer(to, amount)
    paid: stop
  `);
  return await deploy(node, creationOf(code));
}

/** A contract that sends as many tokens to an address as the block's number, with each call. */
export async function deployHeightSender(
  node: TestNode,
  { token, to }: { token: string; to: string },
): Promise<string> {
  const code = assemble(`
    0xa9059cbb 0xe0 shl 0 mstore ${to} 4 mstore number 0x24 mstore
    0 0 0x44 0 0 ${token} gas call stop   ; transfer(to, number)
  `);
  return await deploy(node, creationOf(code));
}

/** A contract that forwards the ether of a call to the address in the call's data, within that transaction. */
export async function deployForwarder(node: TestNode): Promise<string> {
  const code = assemble('0 0 0 0 callvalue 0 calldataload gas call stop');
  return await deploy(node, creationOf(code));
}

/** The same, but fails after the transfer. */
export async function deployRevertingForwarder(node: TestNode): Promise<string> {
  return await deploy(node, creationOf(assemble('0 0 0 0 callvalue 0 calldataload gas call 0 0 revert')));
}

/** Code that self-destructs during its creation and sends its ether to an address. */
export const selfdestructData = (to: string) => `0x${assemble(`${to} selfdestruct`)}`;

/** Call data of a forwarder. */
export function forwardData(to: string): string {
  return `0x${to.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Code that rejects every payment. */
export const REVERTING_CODE = `0x${assemble('0 0 revert')}`;
