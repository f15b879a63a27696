import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import type { FieldProblem } from '../api/problem.ts';
import { ConfigError } from '../system/settings.ts';
import { isBusy, SQLITE_ERROR } from '../database/errors.ts';
import { OperatorError } from '../system/operator-error.ts';
import { Problem } from '../api/problem-error.ts';
import { stackOf } from '../system/stack.ts';

/** Why a command did not do what it was asked for. */
export interface Failure {
  /** 1: could not be done; 2: called wrongly; 0: no failure, help or version was asked for. */
  exitCode: number;
  /** A code of the API's problems, or `called_wrongly`, `setting_not_right`, `database_unavailable`, `failed`. */
  code: string;
  detail: string;
  errors: readonly FieldProblem[];
  /** What was thrown, for whoever mends it. */
  error: unknown;
}

export function failureOf(error: unknown): Failure {
  const failed = (exitCode: number, code: string, detail: string, errors: readonly FieldProblem[] = []): Failure => ({
    exitCode,
    code,
    detail,
    errors,
    error,
  });
  if (error instanceof ConfigError) return failed(2, 'setting_not_right', error.message);
  // Help that was not asked for was asked for by what is missing.
  if (error instanceof CommanderError && error.code.startsWith('commander.help'))
    return failed(error.exitCode === 0 ? 0 : 2, 'called_wrongly', '');
  if (error instanceof InvalidArgumentError) return failed(2, 'called_wrongly', error.message);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return failed(0, '', '');
    return failed(2, 'called_wrongly', sentence(error.message.replace(/^error: /, '')));
  }
  if (error instanceof Problem) {
    const exitCode = error.code === 'validation_failed' ? 2 : 1;
    return failed(exitCode, error.code, error.message, error.errors);
  }
  if (error instanceof OperatorError) return failed(1, 'failed', error.message);
  const database = databaseTrouble(error);
  if (database) return failed(1, 'database_unavailable', database);
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return failed(1, 'failed', `Port ${port} is taken. Stop what listens there, or choose another one.`);
  return failed(1, 'failed', messageOf(error));
}

/** One clear line on stderr, or with `--json` the same as JSON; answers the exit code. */
export function tellFailure(failure: Failure, program: Command, args: readonly string[]): number {
  const { exitCode, code, detail, errors, error } = failure;
  // Commander has shown the help.
  if (exitCode === 0 || detail === '') return exitCode;
  const isUsage = code === 'called_wrongly';
  if (args.includes('--json')) {
    process.stderr.write(`${JSON.stringify({ code, detail, ...(errors.length > 0 && { errors }) })}\n`);
  } else {
    const mistakes = errors.map(({ pointer, detail: each }) => `${pointer.replace(/^[/?]/, '')} ${each}`);
    const line = mistakes.length > 0 ? `${mistakes.join('; ')}.` : detail;
    process.stderr.write(`${line}${isUsage ? ` See: npx ${nameOf(program, args)} --help` : ''}\n`);
  }
  if (code === 'failed' && error instanceof Error && /^(debug|trace)$/.test(process.env.LOG_LEVEL ?? ''))
    process.stderr.write(`${stackOf(error)}\n`);
  return exitCode;
}

/** The command that the arguments name, as far as they name one. */
function nameOf(program: Command, args: readonly string[]): string {
  let command = program;
  const names = [program.name()];
  for (const arg of args) {
    const next = command.commands.find((each) => each.name() === arg);
    if (!next) break;
    command = next;
    names.push(arg);
  }
  return names.join(' ');
}

const unreachable = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** SQLSTATE classes: connection exception, invalid authorization, invalid catalog, insufficient resources, operator intervention. */
const refused = /^(08|28|3D|53|57)[0-9A-Z]{3}$/;

/** What is wrong with the database, where it is that. */
function databaseTrouble(error: unknown): string | null {
  const { code = '' } = error as { code?: string };
  const advice = 'Look at DATABASE_URL.';
  if (isBusy(error)) return 'The database is held by another process. Try again.';
  if (code === SQLITE_ERROR) return `The database cannot be used: ${messageOf(error)}. ${advice}`;
  if (unreachable.test(code)) return `The database does not answer: ${messageOf(error)}. ${advice}`;
  if (refused.test(code)) return `The database refuses: ${messageOf(error)}. ${advice}`;
  return null;
}

function messageOf(error: unknown): string {
  // An address that stands for several fails with all their errors and no message.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return (message.trim() || 'something went wrong').replaceAll(/\s*\n\s*/g, ' ');
}

/** Text as one line that begins with a capital and ends with a stop. */
function sentence(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  const capital = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
