/** Reads the text of a response, after decompression. Rejects, and cancels the response, if it exceeds `maxBytes`. */
export async function readText({ body }: { body: object | null }, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    // Leaving the loop cancels the response.
    if (size > maxBytes)
      throw Object.assign(new Error(`The response exceeds ${maxBytes} bytes.`), { code: 'RESPONSE_TOO_LARGE' });
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
