import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { haproxyConfiguration, pgbouncerConfiguration } from '../../scripts/ha/configuration.ts';
import { packageRoot } from '../../src/system/root.ts';

const root = packageRoot();

async function markdownIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

const pages = [
  ...(await markdownIn('docs')),
  ...(await markdownIn('docs/acquirers')),
  ...(await markdownIn('docs/moving')),
];
/** The documents that describe the present state: neither past releases nor past decisions. */
const guides = ['README.md', 'CONTRIBUTING.md', ...pages];
const documents = [
  ...(await markdownIn('.')),
  ...pages,
  ...(await markdownIn('docs/decisions')),
  'examples/README.md',
  'examples/moving/README.md',
  ...globSync('sdks/*/README.md', { cwd: root }),
];

/** A file's text without code blocks, whose `#` and brackets are not Markdown. */
function proseOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');
}

/** The code spans of a text. */
function spansIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span);
}

const spansOf = (path: string) => spansIn(proseOf(path));

/** The anchors of a file's headings, as GitHub derives them. */
function anchorsOf(path: string): string[] {
  return Array.from(proseOf(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function hasAnchor(file: string, anchor: string): boolean {
  return !file.endsWith('.md') || anchorsOf(file).includes(anchor);
}

/** The links of a file to others of the repository. */
function linksOf(document: string): { target: string; file: string; anchor: string }[] {
  return Array.from(proseOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, target = '']) => {
    const [path = '', anchor = ''] = target.split('#');
    return { target, anchor, file: path === '' ? document : relative(root, join(root, dirname(document), path)) };
  });
}

describe('the documentation', () => {
  test('links only to files and headings that exist', () => {
    const broken = documents.flatMap((document) =>
      linksOf(document)
        .filter(({ file, anchor }) => !existsSync(join(root, file)) || !(anchor === '' || hasAnchor(file, anchor)))
        .map(({ target }) => `${document}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  test('has one title per page, and no two headings of a page with the same anchor', () => {
    for (const page of pages) {
      const anchors = anchorsOf(page);
      assert.equal(proseOf(page).match(/^# /gm)?.length, 1, page);
      assert.deepEqual(
        anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index),
        [],
        page,
      );
    }
  });

  test('names only source files and tests that exist', () => {
    const tests = globSync('test/**/*.{test,spec}.ts', { cwd: root }).map((path) => basename(path));
    const path = /^(?:src|pages|test|scripts|examples|testing)\/[a-z\d./-]+\.[a-z]+$/;
    const isMissing = (name: string) =>
      path.test(name)
        ? !existsSync(join(root, name))
        : /^[a-z-]+\.(?:test|spec)\.ts$/.test(name) && !tests.includes(name);
    const missing = guides.flatMap((page) =>
      spansOf(page)
        .filter(isMissing)
        .map((name) => `${page}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  test('names only modules that exist in its call chains', () => {
    const [, chains = ''] = /^### Call chains\n([^]+?)^## /m.exec(proseOf('CONTRIBUTING.md')) ?? [];
    const paths = spansIn(chains).filter((span) => /^[a-z-]+(?:\/[a-z\d-]+)+$/.test(span));
    assert.ok(paths.length > 40);
    const isMissing = (path: string) =>
      !['src', 'pages'].some((folder) => existsSync(join(root, folder, `${path}.ts`)));
    assert.deepEqual(paths.filter(isMissing), []);
  });

  test('quotes only log lines that the service writes', () => {
    const source = globSync('src/**/*.ts', { cwd: root })
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('');
    const quoted = guides.flatMap((page) =>
      Array.from(proseOf(page).matchAll(/\blog(?: says| line|:) ((?:`[^`]+`(?:, )?)+)/gi), ([, lines = '']) => lines),
    );
    const lines = quoted.flatMap(spansIn);
    assert.ok(lines.length > 5);
    assert.deepEqual(
      lines.filter((line) => !source.includes(line)),
      [],
    );
  });

  test('has the high-availability configurations of npm run ha', () => {
    const page = readFileSync(join(root, 'docs/high-availability.md'), 'utf8');
    const blocks = (language: string) =>
      Array.from(page.matchAll(new RegExp(`^\`{3}${language}\\n([^]+?)^\`{3}$`, 'gm')), ([, text]) => text).join('');
    /** Directives by section, without addresses, passwords and comments. */
    const sectionsOf = (text: string) =>
      text
        .split(/^(?=listen |\[)/m)
        .map((section) => section.split('\n').map((line) => line.trim()))
        .filter(([first = '']) => /^listen |^\[pgbouncer/.test(first))
        .map((lines) => lines.filter((line) => !/^(?:$|;|bind |server |listen_|auth_|unix_socket_dir)/.test(line)));
    const documented = sectionsOf(blocks('haproxy') + blocks('ini'));
    const used = sectionsOf(haproxyConfiguration([], []) + pgbouncerConfiguration('', 'session'));
    assert.equal(used.length, 4);
    for (const [name, ...directives] of used) {
      const section = documented.find(([each]) => each === name);
      assert.deepEqual(
        directives.filter((directive) => !section?.includes(directive)),
        [],
        name,
      );
    }
  });

  test('lists every page in its index', () => {
    const index = proseOf('docs/README.md');
    const missing = pages.filter(
      (page) => page !== 'docs/README.md' && !index.includes(`](${relative('docs', page)})`),
    );
    assert.deepEqual(missing, []);
  });
});
