// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../src/system/metrics.ts';
import { packageRoot } from '../../src/system/root.ts';

test('the dashboard shows exactly the metrics of the service', async () => {
  const dashboard = readFileSync(join(packageRoot(), 'docs', 'dashboards', 'grafana.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets: { expr: string }[] }[] };
  const figures = await createMetrics().registry.getMetricsAsJSON();
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = new Set(expressions.flatMap((expr) => expr.match(/\b(?:paylatch|process|nodejs)_\w+/g) ?? []));
  const shown = new Set([...named].map((name) => name.replace(/_(?:bucket|count|sum)$/, '')));
  const known = new Set(figures.map(({ name }) => name));
  assert.deepEqual(
    [...shown].filter((name) => !known.has(name)),
    [],
    'metrics that do not exist',
  );
  const own = [...known].filter((name) => name.startsWith('paylatch_'));
  assert.deepEqual(
    own.filter((name) => !shown.has(name)),
    [],
    'metrics that are not shown',
  );
  // Metrics are grouped only by their labels.
  for (const { name, labelNames = [] } of createMetrics().registry.getMetricsAsArray() as {
    name: string;
    labelNames?: string[];
  }[]) {
    for (const expr of expressions.filter((each) => new RegExp(`\\b${name}(?:_bucket|_count)?\\b`).test(each))) {
      const [, split = ''] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
      const labels = split.split(/, */).filter((label) => label !== '' && label !== 'le' && label !== 'instance');
      for (const label of labels) assert.ok(labelNames.includes(label), `${name} has no label ${label}`);
    }
  }
});
