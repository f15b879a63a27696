import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchText, RateSource } from '../../src/rates/port.ts';
import { rateSources } from '../../src/rates/sources/registry.ts';
import { packageRoot } from '../../src/system/root.ts';

/** A response of a source, with its URL. */
interface Recording {
  url: string;
  body: unknown;
}

/** Reads the recorded responses of a source. */
function readRecordings({ name }: Pick<RateSource, 'name'>): Recording[] {
  const file = join(packageRoot(), 'test', 'rates', 'recordings', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Recording[];
}

/** The recorded bodies by source and URL, read once per process. */
let recordedBodies: Map<string, Map<string, string>> | undefined;

function readBodies(): Map<string, Map<string, string>> {
  return new Map(
    rateSources.map((source) => [
      source.name,
      new Map(readRecordings(source).map(({ url, body }) => [url, asText(body)])),
    ]),
  );
}

/** Replays the recorded responses of rate sources. Tests can change them, or make a source fail. */
export class RecordedRates {
  readonly requests: string[] = [];
  readonly #bodies = new Map<string, string>();
  readonly #failing = new Set<string>();
  readonly #urlsOf = new Map<string, string[]>();

  constructor() {
    for (const [name, bodies] of (recordedBodies ??= readBodies())) {
      this.#urlsOf.set(name, [...bodies.keys()]);
      for (const [url, body] of bodies) this.#bodies.set(url, body);
    }
  }

  readonly fetchText: FetchText = async (url) => {
    this.requests.push(url);
    const body = this.#bodies.get(url);
    if (body === undefined) throw new Error(`There is no recording of ${url}`);
    if (this.#failing.has(url)) throw new Error(`${new URL(url).host} returned status 503.`);
    return await Promise.resolve(body);
  };

  /** Lets sources fail; without names all of them. */
  fail(...names: string[]): void {
    for (const [name, urls] of this.#urlsOf)
      if (names.length === 0 || names.includes(name)) for (const url of urls) this.#failing.add(url);
  }

  /** Lets all sources respond again. */
  recover(): void {
    this.#failing.clear();
  }

  /** Replaces text in the responses of a source. */
  change(name: string, edit: (body: string) => string): void {
    for (const url of this.#urlsOf.get(name) ?? []) this.#bodies.set(url, edit(this.#bodies.get(url) ?? ''));
  }
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
