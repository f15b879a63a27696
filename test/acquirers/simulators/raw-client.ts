import type { SimulatorResponse } from './faults.ts';

/** Calls a vendor server as an adapter's HTTP client does; rejects when the connection breaks. */
export async function callSimulator(
  url: string,
  method: 'GET' | 'POST',
  { headers, body, signal }: { headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
): Promise<Required<SimulatorResponse>> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: Object.fromEntries(response.headers),
  };
}

/** Opens a page as the buyer's browser does, and presses a button. Redirects are returned, not followed. */
export async function visitPage(
  url: string,
  { action, fields = {} }: { action?: string; fields?: Record<string, string> } = {},
): Promise<{ status: number; location: string | null; html: string }> {
  const form = new URLSearchParams(action === undefined ? fields : { action });
  const response = await fetch(url, {
    redirect: 'manual',
    ...(form.size > 0 && { method: 'POST', body: form }),
  });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
