import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: `getconf CLK_TCK`, 100 on every Linux that Node.js supports. */
const TICKS = 100;

export function statOf(pid: number): string[] {
  // The name is in parentheses and may contain any characters.
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** CPU seconds of a process and of its ended children (proc(5)). */
export function usedBy(pid: number): number {
  const [user, system, ofEnded, systemOfEnded] = statOf(pid).slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (ofEnded ?? 0) + (systemOfEnded ?? 0)) / TICKS;
}
