import { spawnSync } from 'node:child_process';

/** True if a program is on the `PATH`. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Options of a test or suite that needs a program. Without it, the test runner reports a failure with this reason. */
export function needs(program: string): { skip: string | false } {
  return { skip: isInstalled(program) ? false : `${program} is not installed. Debian: apt-get install ${program}` };
}
