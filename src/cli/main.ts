import { failureOf, tellFailure } from './failure.ts';
import { endWithReader } from './output.ts';
import { createProgram, runCommand } from './program.ts';
import { maskSecrets } from '../system/mask.ts';

const args = process.argv.slice(2);
const program = createProgram();

// Whoever writes there, a library as well: errors of databases and providers repeat what they were given.
const writeError = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
process.stderr.write = (chunk: unknown, ...rest: unknown[]) =>
  writeError(typeof chunk === 'string' ? maskSecrets(chunk) : chunk, ...rest);
// What nobody caught: the runtime would print it as it is.
process.on('uncaughtException', (error) => {
  process.exit(tellFailure(failureOf(error), program, args));
});
endWithReader(process.stdout);
process.exitCode = await runCommand(program, args);
