/*
 * Litecoin's extension blocks (MWEB, LIP 2 and 3). Since their activation the last transaction of a block (the HogEx)
 * holds the funds of the extension block and pays out of it. The extension block follows. Both are skipped here; the
 * remaining bytes have Bitcoin's format, with every ordinary output.
 */

/** Flag of a raw transaction with an MWEB part before its lock time. */
export const MWEB_FLAG = 0x08;

/** Returns true if a raw transaction (hexadecimal) stays within the extension block. Its ID is that of a kernel. */
export function isWithinMweb(raw: string): boolean {
  // Version, marker, flag, no inputs, no outputs.
  return raw.startsWith('00080000', 8);
}
