/** Returns `url` if it is safe to link or navigate to: http(s), never `javascript:`. */
export function httpUrl(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'https://localhost/')) return null;
  const { protocol } = new URL(url, 'https://localhost/');
  return protocol === 'https:' || protocol === 'http:' ? url : null;
}
