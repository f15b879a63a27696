/** Opcodes of the Ethereum Virtual Machine (yellow paper, appendix H) used in tests. */
const opcodes: Readonly<Record<string, number>> = {
  stop: 0x00,
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  div: 0x04,
  lt: 0x10,
  eq: 0x14,
  shl: 0x1b,
  shr: 0x1c,
  caller: 0x33,
  callvalue: 0x34,
  calldataload: 0x35,
  codecopy: 0x39,
  number: 0x43,
  mstore: 0x52,
  pop: 0x50,
  sload: 0x54,
  sstore: 0x55,
  jumpi: 0x57,
  gas: 0x5a,
  jumpdest: 0x5b,
  dup1: 0x80,
  dup2: 0x81,
  dup3: 0x82,
  swap1: 0x90,
  log3: 0xa3,
  call: 0xf1,
  return: 0xf3,
  revert: 0xfd,
  selfdestruct: 0xff,
};

/** PUSH0 (EIP-3855); PUSH1 and the following opcodes come after it. */
const PUSH0 = 0x5f;

/**
 * Assembles words to bytes in hexadecimal. A number is pushed; `@name` pushes the offset of the label `name:`, which is
 * a valid jump destination. A semicolon starts a comment.
 */
export function assemble(source: string): string {
  const words = source.replaceAll(/;.*/g, '').split(/\s+/).filter(Boolean);
  const offsets = new Map<string, number>();
  let offset = 0;
  for (const word of words) {
    if (word.endsWith(':')) offsets.set(word.slice(0, -1), offset);
    offset += bytesOf(word, new Map()).length;
  }
  return Buffer.from(words.flatMap((word) => bytesOf(word, offsets))).toString('hex');
}

function bytesOf(word: string, offsets: ReadonlyMap<string, number>): number[] {
  if (word.endsWith(':')) return [opcodes.jumpdest ?? 0];
  if (word.startsWith('@')) {
    const offset = offsets.get(word.slice(1)) ?? 0;
    return [PUSH0 + 2, offset >> 8, offset & 0xff];
  }
  const opcode = opcodes[word];
  if (opcode !== undefined) return [opcode];
  const number = BigInt(word);
  if (number === 0n) return [PUSH0];
  const digits = number.toString(16);
  const bytes = [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')];
  return [PUSH0 + bytes.length, ...bytes];
}

/** Creates the deployment code of a contract: runs `first`, then copies the code to memory and returns it. */
export function creationOf(code: string, first = ''): string {
  const length = code.length / 2;
  const creation = (own: number) => assemble(`${first} ${length} dup1 ${own} 0 codecopy 0 return`);
  // The code's own offset is within 255 bytes, so the length does not depend on its value.
  const own = creation(0xff).length / 2;
  return `0x${creation(own)}${code}`;
}
