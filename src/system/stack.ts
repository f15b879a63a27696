import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in a file of the built program, as stacks name it. */
const builtPlace = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | null>();

/** The source map beside a built file. Read for the first error, not at the start, which would take a fifth of a second longer. */
function mapOf(url: string): SourceMap | null {
  let map = maps.get(url);
  if (map === undefined) {
    const path = `${fileURLToPath(url)}.map`;
    map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null;
    maps.set(url, map);
  }
  return map;
}

/** The stack of an error, with the places of the sources where the built program knows them. */
export function stackOf(error: Error): string {
  return (error.stack ?? '').replaceAll(builtPlace, (place: string, url: string, line: string, column: string) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return place;
    return `${origin.fileName.replace(/^.*?(?=\/?(?:src|pages|node_modules)\/)\/?/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
