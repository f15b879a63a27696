import { toFailure, printFailure } from './failure.ts';
import { exitOnClosedPipe } from './output.ts';
import { createProgram, runCommand } from './program.ts';
import { maskSecrets } from '../system/mask.ts';

const args = process.argv.slice(2);
const program = createProgram();

// Also covers libraries: errors of databases and acquirers may contain secrets.
const writeError = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
process.stderr.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
  writeError(maskSecrets(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...rest);
// Without a reader, messages are lost; the command continues.
process.stderr.on('error', () => undefined);
// Node.js would print uncaught errors without masking.
process.on('uncaughtException', (error) => {
  process.exit(printFailure(toFailure(error), program, args));
});
exitOnClosedPipe(process.stdout);
process.exitCode = await runCommand(program, args);
