import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '../system/operator-error.ts';

/*
 * A backup consists of gzipped JSON lines, the same for both engines: a header; for each table a line with its name and
 * columns, then its rows as arrays; at the end the row counts and the SHA-256 of all previous lines.
 */

export const BACKUP_VERSION = 1;
/** Limits of a batch, which bounds memory use. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1_000_000;
const MAX_LINE_CHARACTERS = 16_000_000;

const backupHeader = z.object({
  format: z.literal('paylatch-backup'),
  version: z.number().int().positive(),
  /** The last migration applied to the database. */
  migration: z.string(),
  engine: z.string(),
  made_at: z.string(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

const tableLine = z.object({
  table: z.string(),
  columns: z.array(z.string()).min(1),
  /** The next generated ID, for tables with generated IDs. */
  next_id: z.number().int().positive().optional(),
});
export type TableLine = z.infer<typeof tableLine>;

const endLine = z.object({ end: z.object({ rows: z.record(z.string(), z.number().int()), sha256: z.string() }) });

export type BackupValue = string | number | null;
const rowLine = z.array(z.union([z.string(), z.int(), z.null()]));

/** Row counts by table, in the order of the file. */
export type RowCounts = Record<string, number>;

export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: TableLine }
  /** Rows of the preceding table, as a JSON array of arrays. */
  | { kind: 'rows'; json: string; count: number }
  | { kind: 'end'; rows: RowCounts };

/** Reads a backup part by part; throws if it is incomplete or was modified, at the end of the file at the latest. */
export function readBackup(path: string): AsyncGenerator<BackupPart> {
  return readParts(path, readLines(path));
}

/** Like `readBackup`, from lines; errors call their origin `path`. */
export async function* readParts(path: string, lines: AsyncIterable<string>): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const counts: RowCounts = {};
  let table: TableLine | null = null;
  let batch: string[] = [];
  let batchCharacters = 0;
  let isFirst = true;
  const flushBatch = (): BackupPart => {
    const part: BackupPart = { kind: 'rows', json: `[${batch.join(',')}]`, count: batch.length };
    batch = [];
    batchCharacters = 0;
    return part;
  };
  let expectedRows: RowCounts | null = null;
  for await (const line of lines) {
    if (expectedRows) throw damaged(path);
    if (isFirst) {
      yield { kind: 'header', header: readHeader(path, line) };
      isFirst = false;
    } else if (line.startsWith('[')) {
      const row = parse(path, rowLine, line);
      if (!table || row.length !== table.columns.length) throw damaged(path);
      batch.push(line);
      batchCharacters += line.length;
      counts[table.table] = (counts[table.table] ?? 0) + 1;
      if (batch.length >= BATCH_ROWS || batchCharacters >= BATCH_CHARACTERS) yield flushBatch();
    } else {
      if (batch.length > 0) yield flushBatch();
      if (line.startsWith('{"end"')) {
        const { end } = parse(path, endLine, line);
        if (end.sha256 !== hash.digest('hex') || !isSame(end.rows, counts)) throw damaged(path);
        // Yielded only after the file has ended without an error.
        expectedRows = end.rows;
        continue;
      }
      table = parse(path, tableLine, line);
      counts[table.table] = 0;
      yield { kind: 'table', table };
    }
    hash.update(`${line}\n`);
  }
  if (!expectedRows) throw truncated(path);
  yield { kind: 'end', rows: expectedRows };
}

async function* readLines(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    // The iteration rejects with the errors of both streams.
    const decompressed = pipeline(createReadStream(path), createGunzip(), () => undefined);
    for await (const chunk of decompressed) {
      const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS)
        throw new OperatorError(`${path} has a row of more than ${MAX_LINE_CHARACTERS} characters.`);
      yield* lines;
    }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'Z_BUF_ERROR') throw truncated(path);
    if (code === 'Z_DATA_ERROR') throw message === 'incorrect header check' ? notABackup(path) : damaged(path);
    if (code === 'ENOENT') throw new OperatorError(`The file ${path} does not exist.`);
    throw error;
  }
}

function readHeader(path: string, line: string): BackupHeader {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    throw notABackup(path);
  }
  const read = backupHeader.safeParse(content);
  if (!read.success) throw notABackup(path);
  if (read.data.version > BACKUP_VERSION) {
    throw new OperatorError(`${path} was created by a newer release. Restore it with that release.`);
  }
  return read.data;
}

function parse<Shape>(path: string, schema: z.ZodType<Shape>, line: string): Shape {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw damaged(path);
  }
}

function isSame(one: RowCounts, other: RowCounts): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function notABackup(path: string): OperatorError {
  return new OperatorError(`${path} is not a Paylatch backup.`);
}

function damaged(path: string): OperatorError {
  return new OperatorError(`${path} is damaged: its checksum does not match. Use another backup.`);
}

function truncated(path: string): OperatorError {
  return new OperatorError(`${path} is truncated: its end is missing. Use another backup.`);
}
