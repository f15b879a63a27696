import type { WriteStream } from 'node:tty';

/** What a shell says of a process that was ended by SIGPIPE, which Node never is. */
const PIPE_CLOSED = 141;

/** Ends quietly when whoever reads the output has had enough, as with `| head`. */
export function endWithReader(output: NodeJS.WriteStream | WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(PIPE_CLOSED);
  });
}

/** Prints an object as JSON, or as lines for people. */
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
 * Prints what a list holds while it is read: one JSON object with the array under its name, or a line
 * for each. That there is nothing is told to people only.
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
  else if (count === 0) process.stderr.write(`There are no ${name}.\n`);
}
