/*
 * Litecoin's extension blocks (MWEB, LIP 2 and 3). Since their activation the last transaction of a block (the HogEx)
 * holds everything that is in the extension block, pays what leaves it, and is followed by the extension block itself.
 * All of that is skipped: what remains is in Bitcoin's format, with every ordinary output.
 */

/** The flag of a raw transaction that has an MWEB part before its lock time. */
export const MWEB_FLAG = 0x08;

/** Whether a raw transaction in hexadecimal stays within the extension block: its name is that of a kernel. */
export function isWithinMweb(raw: string): boolean {
  // Version, marker, flag, no inputs, no outputs.
  return raw.startsWith('00080000', 8);
}
