import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes a file when a signal ends the process, which then ends by that signal; the answer calls it off. */
export function removeOnSignal(path: string): () => void {
  const end = (signal: (typeof endings)[number]) => {
    rmSync(path, { force: true });
    callOff();
    process.kill(process.pid, signal);
    // The first process of a container is not ended by a signal that it does not handle.
    process.exit(128 + constants.signals[signal]);
  };
  const callOff = () => {
    for (const signal of endings) process.off(signal, end);
  };
  for (const signal of endings) process.on(signal, end);
  return callOff;
}
