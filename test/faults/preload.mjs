// Runs in a process of the service before it starts, and injects faults when the test sends a message.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const { now } = Date;
const { lookup } = dns;
const { exec } = DatabaseSync.prototype;

const faults = { clockOffsetMs: 0, dns: /** @type {'fails' | 'hangs' | null} */ (null), isReadOnly: false };
/** @type {Set<DatabaseSync>} */
const files = new Set();

Date.now = () => now() + faults.clockOffsetMs;

// Connections resolve host names and IP addresses through this function.
dns.lookup = Object.assign((/** @type {string} */ name, /** @type {unknown[]} */ ...rest) => {
  if (faults.dns === 'hangs') return;
  if (faults.dns === null) return Reflect.apply(lookup, dns, [name, ...rest]);
  const callback = /** @type {(error: Error) => void} */ (rest.at(-1));
  const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
  });
  process.nextTick(callback, error);
}, lookup);

/** SQLite refuses writes itself, as on a file system that was remounted read-only. */
const applyReadOnly = (/** @type {DatabaseSync} */ file) =>
  exec.call(file, `pragma query_only = ${faults.isReadOnly ? 'on' : 'off'}`);

// The program executes pragmas on each database that it opens.
DatabaseSync.prototype.exec = function (text) {
  files.add(this);
  return exec.call(this, text);
};
syncBuiltinESMExports();

/** Fills the heap until V8 ends the process at its limit. */
function fillMemory() {
  const held = [];
  const grow = () => {
    for (let index = 0; index < 20_000; index += 1) held.push({ index, text: String(index) });
    setTimeout(grow, 1);
  };
  grow();
}

if (isMainThread) {
  process.on('message', (/** @type {Partial<typeof faults> & { fillsMemory?: boolean }} */ message) => {
    const { fillsMemory, ...changes } = message;
    Object.assign(faults, changes);
    if ('isReadOnly' in changes) for (const file of files) if (file.isOpen) applyReadOnly(file);
    if (fillsMemory) fillMemory();
    process.send?.({ done: true });
  });
  // The channel must not keep a draining process alive.
  process.channel?.unref();
}
