/** Severity of a finding: a `problem` loses or rejects payments, a `warning` may lead to one. */
export type DiagnosisStatus = 'ok' | 'warning' | 'problem';

/** The result of one check of the installation. */
export interface Finding {
  status: DiagnosisStatus;
  /** The finding, in one or two sentences. */
  found: string;
  /** The action to take; null if none is needed. */
  action: string | null;
}

/** A check of the installation, exported by the module it covers. It changes nothing. */
export interface Check {
  name: string;
  run(): Promise<Finding>;
}

export const ok = (found: string): Finding => ({ status: 'ok', found, action: null });
export const warning = (found: string, action: string): Finding => ({ status: 'warning', found, action });
export const problem = (found: string, action: string): Finding => ({ status: 'problem', found, action });

const severities: readonly DiagnosisStatus[] = ['ok', 'warning', 'problem'];

/** The most severe of several statuses; `ok` for none. */
export function worstOf(statuses: readonly DiagnosisStatus[]): DiagnosisStatus {
  return severities[Math.max(0, ...statuses.map((status) => severities.indexOf(status)))] ?? 'ok';
}

/** Combines several findings into one: those that need action, or all of them if none does. */
export function combine(findings: readonly Finding[]): Finding {
  const status = worstOf(findings.map((finding) => finding.status));
  const named = status === 'ok' ? findings : findings.filter((finding) => finding.status !== 'ok');
  const actions = new Set(named.flatMap(({ action }) => action ?? []));
  return {
    status,
    found: named.map(({ found }) => found).join(' '),
    action: actions.size === 0 ? null : [...actions].join(' '),
  };
}
