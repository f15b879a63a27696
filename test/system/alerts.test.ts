// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../src/system/metrics.ts';
import { packageRoot } from '../../src/system/root.ts';

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string().regex(/\.$/) }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(join(packageRoot(), 'docs', 'dashboards', 'alerts.yaml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

/** Labels that Prometheus and histograms add. */
const addedLabels = ['job', 'instance', 'le'];

describe('the alert rules', () => {
  test('use metrics and labels that the service has', () => {
    const metrics = new Map(
      (createMetrics().registry.getMetricsAsArray() as { name: string; labelNames?: string[] }[]).map(
        ({ name, labelNames = [] }) => [name, labelNames] as const,
      ),
    );
    for (const { alert, expr, annotations } of rules) {
      const used = expr.match(/\b(?:paylatch|process|nodejs)_\w+/g) ?? [];
      const labels = used.flatMap(
        (name) => metrics.get(name.replace(/_(?:bucket|count|sum)$/, '')) ?? assert.fail(`${alert}: no metric ${name}`),
      );
      assert.ok(used.length > 0 || /\bup\b/.test(expr), alert);
      const named = [
        ...Array.from(expr.matchAll(/(\w+)[!=]?[=~]"/g), ([, label = '']) => label),
        ...Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = '']) => list.split(/, */)).flat(),
        ...Array.from(annotations.summary.matchAll(/\$labels\.(\w+)/g), ([, label = '']) => label),
      ];
      for (const label of named) assert.ok([...labels, ...addedLabels].includes(label), `${alert}: no label ${label}`);
    }
  });

  test('have a case each in which they fire', () => {
    const { tests } = z
      .object({
        tests: z.array(
          z.object({ alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })) }),
        ),
      })
      .parse(parse(readFileSync(join(packageRoot(), 'test', 'deploy', 'alerts.test.yaml'), 'utf8')));
    const fired = tests.flatMap((each) => each.alert_rule_test).filter((each) => each.exp_alerts.length > 0);
    const names = fired.map(({ alertname }) => alertname);
    assert.deepEqual(
      rules.map(({ alert }) => alert).filter((alert) => !names.includes(alert)),
      [],
    );
  });

  test('have a runbook section each, and no section is without an alert', () => {
    const runbooks = readFileSync(join(packageRoot(), 'docs', 'runbooks.md'), 'utf8');
    const sections = Array.from(runbooks.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    assert.deepEqual(
      sections,
      rules.map(({ alert }) => alert),
    );
    for (const section of runbooks.split(/^## /m).slice(1)) assert.match(section, /^1\. /m);
  });
});
