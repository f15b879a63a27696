/** Schemes that run or show content in the page instead of opening an app or another page. */
const ownSchemes = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'];

/** Returns `address` if it may be linked: it opens an app (`upi://…`) or a page. Otherwise null. */
export function appAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return ownSchemes.includes(new URL(address).protocol) ? null : address;
}
