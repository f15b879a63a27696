import http from 'node:http';

/** How long an event or an end may be waited for in vain. */
const PATIENCE_MS = 10_000;

export interface ServerEvent {
  event: string;
  data: string;
}

/** An open stream of events, read as they come. */
export interface EventReader {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The body of an answer that is no stream. */
  text: string;
  /** Everything that has come so far, as it was sent. */
  received: () => string;
  /** The next event of a kind that has not been read yet; fails when the stream ends without it. */
  next(event: string): Promise<ServerEvent>;
  /** Resolves when the stream has ended. */
  ended(): Promise<void>;
  /** Reads nothing any more, without going away. */
  stall(): void;
  close(): void;
}

/** Opens a stream over a connection of its own, as a browser does. */
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
    for (const tell of waiting.splice(0)) tell();
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
  const change = async (what: string) => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      timer = setTimeout(() => reject(new Error(`Waited in vain for ${what}; what came: ${received}`)), PATIENCE_MS);
    });
    clearTimeout(timer);
  };
  // An end in the middle is what some tests are about.
  request.on('error', () => {});
  response.on('error', () => {});
  return {
    ...head,
    received: () => received,
    async next(event) {
      for (;;) {
        const index = events.findIndex((each) => each.event === event);
        const found = events[index];
        if (found) {
          events.splice(0, index + 1);
          return found;
        }
        if (hasEnded) throw new Error(`The stream ended without another "${event}": ${received}`);
        await change(`"${event}"`);
      }
    },
    async ended() {
      for (;;) {
        if (hasEnded) return;
        await change('its end');
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
