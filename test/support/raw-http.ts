import http from 'node:http';
import { Readable } from 'node:stream';

export interface RawRequest {
  method?: string;
  /** Sent unchanged: `fetch` would normalize it. */
  path: string;
  headers?: http.OutgoingHttpHeaders;
  /** One chunk is sent with Content-Length, several are sent chunked. */
  body?: Uint8Array | string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends a request unchanged; the response may arrive before the whole body was sent. */
export async function sendRaw(
  origin: string,
  { method = 'GET', path, headers, body }: RawRequest,
): Promise<RawResponse> {
  return await new Promise((resolve, reject) => {
    const request = http.request(origin, { method, path, agent: false, headers: headers ?? {} }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const answered = new Headers();
        for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value));
        resolve({ status: response.statusCode ?? 0, headers: answered, text: Buffer.concat(pieces).toString() });
        request.destroy();
      });
    });
    request.on('error', reject);
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body);
    else Readable.from(body).pipe(request);
  });
}
