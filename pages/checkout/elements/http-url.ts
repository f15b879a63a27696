/** Returns `address` if it is safe to link or navigate to: http(s), never `javascript:`. */
export function httpUrl(address: string | null): string | null {
  if (address === null || !URL.canParse(address, 'https://localhost/')) return null;
  const { protocol } = new URL(address, 'https://localhost/');
  return protocol === 'https:' || protocol === 'http:' ? address : null;
}
