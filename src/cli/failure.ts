import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import type { FieldProblem } from '../api/problem.ts';
import { ConfigError } from '../system/settings.ts';
import { isBusy, SQLITE_ERROR } from '../database/errors.ts';
import { OperatorError } from '../system/operator-error.ts';
import { Problem } from '../api/problem-error.ts';
import { stackOf } from '../system/stack.ts';

/** The failure of a command. */
export interface Failure {
  /** 1: failure; 2: invalid usage; 0: help or version was requested. */
  exitCode: number;
  /** An API problem code, or `invalid_usage`, `invalid_setting`, `database_unavailable`, `failed`. */
  code: string;
  detail: string;
  errors: readonly FieldProblem[];
  /** The original error, for debugging. */
  error: unknown;
}

export function toFailure(error: unknown): Failure {
  const failed = (exitCode: number, code: string, detail: string, errors: readonly FieldProblem[] = []): Failure => ({
    exitCode,
    code,
    detail,
    errors,
    error,
  });
  if (error instanceof ConfigError) return failed(2, 'invalid_setting', error.message);
  // Commander shows help if a subcommand is missing; that is invalid usage.
  if (error instanceof CommanderError && error.code.startsWith('commander.help'))
    return failed(error.exitCode === 0 ? 0 : 2, 'invalid_usage', '');
  if (error instanceof InvalidArgumentError) return failed(2, 'invalid_usage', error.message);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return failed(0, '', '');
    return failed(2, 'invalid_usage', sentence(error.message.replace(/^error: /, '')));
  }
  if (error instanceof Problem) {
    const exitCode = error.code === 'validation_failed' ? 2 : 1;
    return failed(exitCode, error.code, error.message, error.errors);
  }
  if (error instanceof OperatorError) return failed(1, 'failed', error.message);
  const database = describeDatabaseError(error);
  if (database) return failed(1, 'database_unavailable', database);
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return failed(1, 'failed', `Port ${port} is in use. Stop the process that uses it, or set another PORT.`);
  return failed(1, 'failed', messageOf(error));
}

/** Prints one line to standard error, with `--output json` as JSON; returns the exit code. */
export function printFailure(failure: Failure, program: Command, args: readonly string[]): number {
  const { exitCode, code, detail, errors, error } = failure;
  // Commander has printed the help.
  if (exitCode === 0 || detail === '') return exitCode;
  const isUsage = code === 'invalid_usage';
  if (isJsonRequested(args)) {
    process.stderr.write(`${JSON.stringify({ code, detail, ...(errors.length > 0 && { errors }) })}\n`);
  } else {
    const details = errors.map(({ pointer, detail: each }) => `${pointer.replace(/^[/?]/, '')} ${each}`);
    const line = details.length > 0 ? `${details.join('; ')}.` : detail;
    process.stderr.write(`${line}${isUsage ? ` See: npx ${commandName(program, args)} --help` : ''}\n`);
  }
  if (code === 'failed' && error instanceof Error && /^(debug|trace)$/.test(process.env.LOG_LEVEL ?? ''))
    process.stderr.write(`${stackOf(error)}\n`);
  return exitCode;
}

/** Reads the arguments, because parsing of the command may have failed. */
function isJsonRequested(args: readonly string[]): boolean {
  return args.some((arg, index) => arg === '--output=json' || (arg === '--output' && args[index + 1] === 'json'));
}

/** The longest command name that the arguments contain. */
function commandName(program: Command, args: readonly string[]): string {
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

const connectionErrorCode = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/**
 * SQLSTATE classes: connection exception, invalid authorization, invalid catalog, insufficient resources, operator
 * intervention.
 */
const rejectedState = /^(08|28|3D|53|57)[0-9A-Z]{3}$/;

/** Describes a database error; null for other errors. */
function describeDatabaseError(error: unknown): string | null {
  const { code = '' } = error as { code?: string };
  const advice = 'Check DATABASE_URL.';
  if (isBusy(error)) return 'The database is locked by another process. Try again.';
  if (code === SQLITE_ERROR) return `The database cannot be opened: ${messageOf(error)}. ${advice}`;
  if (connectionErrorCode.test(code)) return `The database does not respond: ${messageOf(error)}. ${advice}`;
  if (rejectedState.test(code)) return `The database rejected the connection: ${messageOf(error)}. ${advice}`;
  return null;
}

function messageOf(error: unknown): string {
  // A host with several addresses fails with an AggregateError without a message.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return (message.trim() || 'unknown error').replaceAll(/\s*\n\s*/g, ' ');
}

/** Formats text as one sentence: a capital letter first, a full stop last. */
function sentence(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  const capital = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
