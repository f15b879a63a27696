import { createHash } from 'node:crypto';

/** Number of ID sources in this process. It keeps the IDs of several servers apart. */
let sources = 0;

/** Creates the IDs of one vendor server: the same in each run. */
export function createIds(vendor: string): { hex(length: number): string; uuid(): string } {
  sources += 1;
  const source = `${vendor} ${sources}`;
  let issued = 0;
  const next = () => {
    issued += 1;
    return createHash('sha256').update(`${source} ${issued}`).digest('hex');
  };
  return {
    hex: (length) => next().slice(0, length),
    uuid: () => next().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
  };
}
