/** `address` when it may be put into a link or navigated to: http(s) only, never `javascript:`. */
export function webAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address, 'https://localhost/')) return null;
  const { protocol } = new URL(address, 'https://localhost/');
  return protocol === 'https:' || protocol === 'http:' ? address : null;
}
