/** Schemes that run or show content in the page instead of opening an app or another page. */
const blockedSchemes = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'];

/** Returns `url` if it may be linked: it opens an app (`upi://…`) or a page. Otherwise null. */
export function appUrl(url: string): string | null {
  try {
    return blockedSchemes.includes(new URL(url).protocol) ? null : url;
  } catch {
    return null;
  }
}
