import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runInProcess } from '../support/command-line.ts';
import { isInstalled } from '../support/installed.ts';

// Databases: sqlite

/** Completes the last word of a command line, as the shell does. */
type Complete = (words: readonly string[]) => Promise<string[]>;

const programs: Record<string, (script: string) => { program: string; args: (words: readonly string[]) => string[] }> =
  {
    bash: (script) => ({
      program: 'bash',
      args: (words) => [
        ...['--norc', '-c'],
        `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paylatch; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ...['bash', ...words],
      ],
    }),
    // Replaces functions of the completion system with ones that print their completions.
    zsh: (script) => ({
      program: 'zsh',
      args: (words) => [
        ...['-f', '-c'],
        `compdef() { : }
        compset() { PREFIX=\${PREFIX##*,} }
        show() { local each; for each in "$@"; do [[ $each == "$PREFIX"* ]] && print -r -- $each; done; true }
        compadd() { shift; show "$@" }
        _files() { : }
        _describe() { local -a entries=("\${(@P)@[-1]}"); show "\${(@)entries%%:*}" }
        source ${script}
        words=("$@"); CURRENT=$#; PREFIX=\${words[-1]}; _paylatch`,
        ...['zsh', ...words],
      ],
    }),
    fish: (script) => ({
      program: 'fish',
      args: (words) => [...['--no-config', '-c'], `source ${script}; complete -C "$argv"`, words.join(' ')],
    }),
  };

// bash is always installed.
for (const shell of ['bash', 'zsh', 'fish'].filter((name) => name === 'bash' || isInstalled(name)))
  describe(`completion in ${shell}`, () => {
    let folder: string;
    let complete: Complete;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'paylatch-completion-'));
      const script = join(folder, 'script');
      const { code, stdout } = await runInProcess(['completion', shell]);
      assert.equal(code, 0);
      writeFileSync(script, stdout);
      complete = async (words) => {
        const { program, args } = programs[shell]?.(script) ?? assert.fail(shell);
        const done = await promisify(execFile)(program, args(words), { cwd: folder });
        assert.equal(done.stderr, '');
        return done.stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
      };
    });
    after(() => {
      rmSync(folder, { recursive: true });
    });

    test('completes commands and subcommands', async () => {
      assert.deepEqual(await complete(['paylatch', 'to']), ['token']);
      const subcommands = await complete(['paylatch', 'token', '']);
      for (const name of ['create', 'list', 'revoke']) assert.ok(subcommands.includes(name), name);
      assert.deepEqual(await complete(['paylatch', 'webhooks', 'endpoint', 'u']), ['update']);
    });

    test('completes only the options of the command', async () => {
      assert.deepEqual(await complete(['paylatch', 'token', 'create', '--ro']), ['--role']);
      assert.deepEqual(await complete(['paylatch', 'token', 'list', '--ro']), []);
      assert.deepEqual(await complete(['paylatch', 'reconcile', '--chain', 'bitcoin', 're']), ['resolve']);
    });

    test('completes values', async () => {
      const roles = await complete(['paylatch', 'token', 'create', '--role', '']);
      assert.deepEqual(roles.toSorted(), ['manager', 'merchant']);
      assert.deepEqual(await complete(['paylatch', 'webhooks', 'trigger', 'fiat.t']), ['fiat.transaction.updated']);
      assert.deepEqual(await complete(['paylatch', 'token', 'list', '--output', 'j']), ['json']);
    });

    // zsh has its own completion for npx.
    if (shell !== 'zsh')
      test('completes npx paylatch, but no other npx command', async () => {
        assert.deepEqual(await complete(['npx', 'paylatch', 'webhooks', 'li']), ['list', 'listen']);
        assert.deepEqual(await complete(['npx', 'other', 'webhooks', 'li']), []);
      });
  });

test('an unknown shell is rejected', async () => {
  const { code, stderr } = await runInProcess(['completion', 'csh']);
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});
