import { PaylatchError } from '../../client/error.ts';
import type { I18n } from '../checkout/elements/i18n.ts';

/** Converts an error to a problem; other errors become a problem of the page. */
export function toProblem(error: unknown): PaylatchError {
  return error instanceof PaylatchError ? error : localProblem('page', String(error));
}

/** True if the user canceled: a step-up, or the choice of a file. */
export function isCanceled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** A problem without a request: the browser is offline, or the page has an error. */
export function localProblem(code: 'offline' | 'page', detail = ''): PaylatchError {
  return new PaylatchError(code as PaylatchError['code'], detail);
}

/** The service's message for a field: `fieldDetail(problem, 'email')`. */
export function fieldDetail({ errors }: PaylatchError, name: string): string | null {
  return errors.find(({ pointer }) => pointer === `/${name}` || pointer === `?${name}`)?.detail ?? null;
}

/** Locale key of a problem. */
function textKey({ code }: { code: string }): string {
  if (code === 'unreachable') return navigator.onLine ? 'unavailable' : 'offline';
  return code === 'timed_out' || code === 'unexpected_response' ? 'unavailable' : code;
}

export function problemIcon(problem: PaylatchError): string {
  const key = textKey(problem);
  if (key === 'offline') return 'wifi-off';
  if (key === 'unavailable') return 'cloud-off';
  return problem.status === 403 ? 'lock' : problem.status === 404 ? 'search' : 'triangle-alert';
}

/** Text for a problem in the user's language, or from the service if there is no translation. */
export function problemText(problem: PaylatchError, i18n: I18n): { heading: string; text: string } {
  const key = `account.shell.problems.${textKey(problem)}`;
  const minutes = Math.max(1, Math.ceil((problem.retryAfterMs ?? 60_000) / 60_000));
  if (i18n.has(`${key}.title`))
    return { heading: i18n.text(`${key}.title`), text: i18n.text(`${key}.text`, { count: minutes }) };
  return { heading: problem.title || i18n.text('account.shell.problems.other'), text: problem.message };
}
