/** Returns `url` if it is safe to link or navigate to: http(s), never `javascript:`. */
export function httpUrl(url: string | null): string | null {
  try {
    return /^https?:$/.test(new URL(url as string, 'https://localhost/').protocol) ? url : null;
  } catch {
    return null;
  }
}
