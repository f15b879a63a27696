import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A location in a built file, as stack traces show it. */
const builtLocation = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | null>();

/** The source map of a built file. Read on the first error: at startup it would cost 0.2 seconds. */
function sourceMapOf(url: string): SourceMap | null {
  let map = maps.get(url);
  if (map === undefined) {
    const path = `${fileURLToPath(url)}.map`;
    map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null;
    maps.set(url, map);
  }
  return map;
}

/** An error's stack trace, with source locations where a source map has them. */
export function stackOf(error: Error): string {
  return (error.stack ?? '').replaceAll(
    builtLocation,
    (location: string, url: string, line: string, column: string) => {
      const origin = sourceMapOf(url)?.findOrigin(Number(line), Number(column));
      if (!origin || !('fileName' in origin)) return location;
      return `${origin.fileName.replace(/^.*?(?=\/?(?:src|pages|node_modules)\/)\/?/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
    },
  );
}
