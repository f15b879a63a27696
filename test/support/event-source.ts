import http from 'node:http';

/** Timeout of waiting for an event or the end of the stream: only hanging tests time out. */
const TIMEOUT_MS = 60_000;

interface ServerEvent {
  event: string;
  data: string;
}

/** An open event stream. */
export interface EventReader {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The body of a response that is not a stream. */
  text: string;
  /** All received data so far, unparsed. */
  received: () => string;
  /** Returns the next unread event with a name; throws when the stream ends first. */
  next(event: string): Promise<ServerEvent>;
  /** Resolves when the stream has ended. */
  ended(): Promise<void>;
  /** Stops reading, without closing the connection. */
  stall(): void;
  close(): void;
}

/** Opens a stream on its own connection, like a browser. */
export async function openEvents(url: string, headers: http.OutgoingHttpHeaders = {}): Promise<EventReader> {
  return await new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.setEncoding('utf8');
      if (!headers['content-type']?.startsWith('text/event-stream')) {
        let text = '';
        response.on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve(reader(request, response, { status, headers, text })));
        return;
      }
      resolve(reader(request, response, { status, headers, text: '' }));
    });
    request.on('error', reject);
  });
}

function reader(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  head: Pick<EventReader, 'status' | 'headers' | 'text'>,
): EventReader {
  let received = '';
  let unparsed = '';
  let hasEnded = false;
  const events: ServerEvent[] = [];
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  response.on('data', (piece: string) => {
    received += piece;
    const blocks = (unparsed + piece).split('\n\n');
    unparsed = blocks.pop() ?? '';
    events.push(...blocks.map(parseBlock));
    wake();
  });
  response.on('close', () => {
    hasEnded = true;
    wake();
  });
  const nextChange = async (expected: string) => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      timer = setTimeout(
        () => reject(new Error(`Timed out waiting for ${expected}; received: ${received}`)),
        TIMEOUT_MS,
      );
    });
    clearTimeout(timer);
  };
  // Some tests abort the stream.
  request.on('error', () => {});
  response.on('error', () => {});
  return {
    ...head,
    received: () => received,
    async next(event) {
      for (;;) {
        const index = events.findIndex((each) => each.event === event);
        const next = events[index];
        if (next) {
          events.splice(0, index + 1);
          return next;
        }
        if (hasEnded) throw new Error(`The stream ended without another "${event}": ${received}`);
        await nextChange(`"${event}"`);
      }
    },
    async ended() {
      for (;;) {
        if (hasEnded) return;
        await nextChange('its end');
      }
    },
    stall: () => void response.pause(),
    close: () => request.destroy(),
  };
}

function parseBlock(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/s.exec(line) ?? []);
  const valueOf = (name: string) => fields.find(([, field]) => field === name)?.[2];
  return { event: valueOf('event') ?? '', data: valueOf('data') ?? '' };
}
