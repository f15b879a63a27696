import type { WriteStream } from 'node:tty';

/** Exit code of a process ended by SIGPIPE; Node.js ignores that signal. */
const SIGPIPE_EXIT_CODE = 141;

/** Exits quietly when the reader closes the pipe, as with `| head`. */
export function exitOnClosedPipe(output: NodeJS.WriteStream | WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(SIGPIPE_EXIT_CODE);
  });
}

/** Prints an object as JSON or as text lines. */
export function print(value: Record<string, unknown>, asJson: boolean | undefined): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(value)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(value).map((key) => key.length));
  const lines = Object.entries(value).map(([key, entry]) => `${key.padEnd(width)}  ${String(entry)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * Prints a list while it is read: one JSON object with the array under its name, or one line per item. An empty
 * list is reported in text output only.
 */
export async function printList<Item>(
  name: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  { asJson, lineOf }: { asJson: boolean | undefined; lineOf: (item: Item) => string },
): Promise<void> {
  let count = 0;
  for await (const item of items) {
    const lead = count === 0 ? `{${JSON.stringify(name)}:[` : ',';
    process.stdout.write(asJson ? `${lead}${JSON.stringify(item)}` : `${lineOf(item)}\n`);
    count += 1;
  }
  if (asJson) process.stdout.write(count === 0 ? `{${JSON.stringify(name)}:[]}\n` : ']}\n');
  else if (count === 0) process.stderr.write(`No ${name}.\n`);
}
