/** Schemes that run or show something in the page itself instead of leading to an app or another page. */
const ownSchemes = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'];

/** `address` when it may stand in a link that opens an app (`upi://…`) or a page; null otherwise. */
export function appAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return ownSchemes.includes(new URL(address).protocol) ? null : address;
}
