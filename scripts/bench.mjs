// Runs the benchmarks one after another, and writes their figures and targets as one table.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isStale } from './build.mjs';
import { startPostgres } from './postgres.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..');
const document = join(root, 'docs', 'performance.md');
const [BEGIN, END] = ['<!-- npm run bench -- --write -->', '<!-- end -->'];
/** The benchmarks, and the databases to start for each. */
const programs = [
  ['payment-cost', ['none']],
  ['statements', ['none']],
  ['api', ['none']],
  ['reads', ['sqlite', 'postgres']],
  ['open-pages', ['sqlite', 'postgres']],
  ['callbacks', ['sqlite', 'postgres']],
  ['chains', ['sqlite', 'postgres']],
];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => !programs.some(([each]) => each === name));
if (unknown.length > 0) {
  process.stderr.write(`Usage: npm run bench -- [--write] [${programs.map(([name]) => name).join('|')} …]\n`);
  process.exit(2);
}
if (isStale()) await build();
const folder = mkdtempSync(join(tmpdir(), 'paylatch-bench-'));
const figures = join(folder, 'figures.jsonl');
writeFileSync(figures, '');
try {
  for (const [name, databases] of programs) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const database of databases) await run(name, database);
  }
  const table = toTable(
    readFileSync(figures, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
  process.stdout.write(`\n${table}`);
  if (process.argv.includes('--write')) writeTable(table);
} finally {
  rmSync(folder, { recursive: true });
}

async function run(name, database) {
  process.stdout.write(`-- ${name}${database === 'none' ? '' : `, ${database}`}\n`);
  const postgres = database === 'postgres' ? await startPostgres() : null;
  const { TEST_POSTGRES_URL: _other, ...env } = process.env;
  try {
    const child = spawn(
      process.execPath,
      ['--import', './scripts/decorators.mjs', join('test', 'bench', `${name}.ts`)],
      {
        ...{ cwd: root, stdio: 'inherit' },
        env: { ...env, BENCH_FIGURES: figures, ...(postgres && { TEST_POSTGRES_URL: postgres.url }) },
      },
    );
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  } finally {
    await postgres?.stop();
  }
}

/** One row per measure, one column per database. */
function toTable(list) {
  const measures = [...new Set(list.map(({ measure }) => measure))];
  const cell = (measure, engine) => {
    const found = list.find((figure) => figure.measure === measure && (figure.engine ?? engine) === engine);
    if (!found) return '';
    const text = `${round(found.value)}${found.unit && ` ${found.unit}`}`;
    return isMet(found) ? text : `**${text}**`;
  };
  const target = (measure) =>
    [
      ...new Set(list.flatMap((figure) => (figure.measure === measure && figure.target ? [targetText(figure)] : []))),
    ].join(' / ');
  return [
    '| measure | SQLite | PostgreSQL | target |',
    '|---|--:|--:|--:|',
    ...measures.map(
      (measure) => `| ${measure} | ${cell(measure, 'sqlite')} | ${cell(measure, 'postgres')} | ${target(measure)} |`,
    ),
    '',
  ].join('\n');
}

function targetText({ target, unit }) {
  const limit = 'max' in target ? `≤ ${target.max}` : `≥ ${target.min}`;
  return unit ? `${limit} ${unit}` : limit;
}

function isMet({ value, target }) {
  if (!target) return true;
  return 'max' in target ? value <= target.max : value >= target.min;
}

function round(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function writeTable(table) {
  const text = readFileSync(document, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const [, after] = rest.split(END);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { model } = cpus()[0];
  const date = new Date().toISOString().slice(0, 10);
  const about = `Measured on ${date} at commit ${commit}, Node ${process.version}, ${availableParallelism()} cores (${model}). Bold figures miss their target.`;
  writeFileSync(document, `${before}${BEGIN}\n${about}\n\n${table}${END}${after}`);
}
