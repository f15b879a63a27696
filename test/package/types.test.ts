import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ApiDocument, operationEntries } from '../../pages/reference/document.ts';
import { sampleLanguages, tokenSamples } from '../../pages/reference/samples.ts';
import { describeApi } from '../../src/api/openapi.ts';
import { operations } from '../../src/api/operations.ts';
import { packageRoot } from '../../src/system/root.ts';
import { installAll, packageNames, type Project } from './installed.ts';

const tool = (name: string) => join(packageRoot(), 'node_modules', '.bin', name);

/*
 * A merchant's sources in `merchant/`: valid code must compile, and each line after an @ts-expect-error or
 * @vue-expect-error must not, or the compiler reports the unused comment.
 */
describe('the types of the packages', { concurrency: true }, () => {
  let project: Project;
  before(async () => {
    project = await installAll();
    await writeReferenceSamples(project.folder);
    await writeReadmeExamples(project.folder);
    // The platforms are too large to install here; the tests of `shops` check against their own types.
    const options = "{ options: { providers: { options: import('@paylatch/medusa').PaylatchMedusaOptions }[] } }[]";
    const source = `import { modules } from './readme-medusa-0';\nmodules satisfies ${options};\n`;
    await writeFile(join(project.folder, 'medusa-options.ts'), source);
    for (const platform of ['medusa', 'vendure'])
      await copyFile(join(packageRoot(), 'shops', platform, 'platform.d.ts'), join(project.folder, `${platform}.d.ts`));
  });
  after(async () => await project.remove());

  test('work in plain TypeScript, React 19, Playwright, the READMEs and the samples of the API reference', async () => {
    await project.run(tool('tsc'), ['-p', '.']);
  });

  test('work in the README of the Medusa plugin in a CommonJS project, as Medusa creates it', async () => {
    const { folder } = project;
    await mkdir(join(folder, 'commonjs'));
    await writeFile(join(folder, 'commonjs/package.json'), '{}');
    await copyFile(join(folder, 'readme-medusa-0.ts'), join(folder, 'commonjs/medusa-config.ts'));
    const compilerOptions = { module: 'Node16', strict: true, types: ['node'], noEmit: true };
    await writeFile(join(folder, 'commonjs/tsconfig.json'), JSON.stringify({ compilerOptions }));
    await project.run(tool('tsc'), ['-p', 'commonjs']);
  });

  test('work in Vue templates', async () => {
    await project.run(tool('vue-tsc'), ['-p', 'tsconfig.vue.json']);
  });

  test('reference only their own files, other Paylatch packages and frameworks', async () => {
    for (const name of packageNames) {
      const folder = join(project.folder, 'node_modules/@paylatch', name, 'dist');
      const files = await readdir(folder);
      const declarations = files.filter((file) => file.endsWith('.d.ts'));
      assert.ok(declarations.length > 0, name);
      for (const file of declarations) {
        const source = await readFile(join(folder, file), 'utf8');
        for (const [, specifier = ''] of source.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)) {
          const isThere = files.includes(specifier.replace(/^\.\/(.*)\.js$/, '$1.d.ts'));
          const others = ['@paylatch/pay-form', '@paylatch/client', 'react', 'vue', '@playwright/test'];
          const isOther = others.includes(specifier) || /^@(?:medusajs|vendure)\//.test(specifier);
          assert.ok(isThere || isOther, `${name}/${file} imports ${specifier}`);
        }
      }
    }
  });
});

/** Writes the TypeScript examples of the packages' READMEs to a merchant's project. */
async function writeReadmeExamples(folder: string): Promise<void> {
  for (const name of packageNames) {
    const readme = await readFile(join(packageRoot(), 'packages', name, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/^```(tsx?|vue)\n([^]*?)^```$/gm)];
    assert.ok(examples.length > 0, name);
    for (const [index, [, language = '', text = '']] of examples.entries())
      await writeFile(join(folder, `readme-${name}-${index}.${language}`), text);
  }
  const webhooks = await readFile(join(packageRoot(), 'docs/webhooks.md'), 'utf8');
  const [, store] = /^```ts\n\/\/ webhook-store\.ts\n([^]*?)^```$/m.exec(webhooks) ?? [];
  await writeFile(join(folder, 'webhook-store.ts'), store ?? assert.fail('no store'));
}

/** Writes the TypeScript samples of all examples to a merchant's project. */
async function writeReferenceSamples(folder: string): Promise<void> {
  const document = describeApi({ operations, version: '1', publicUrl: 'https://pay.example' });
  const typescript = sampleLanguages.find(({ id }) => id === 'typescript');
  const token = tokenSamples('https://pay.example').find(({ id }) => id === 'typescript');
  await writeFile(join(folder, 'sample-token.ts'), `${token?.text ?? assert.fail('no sample')}\nexport {};\n`);
  for (const entry of operationEntries(document as unknown as ApiDocument)) {
    for (const [index, { query, body }] of entry.examples.entries()) {
      const sample = typescript?.write({ ...entry, baseUrl: 'https://pay.example', query, body }) ?? '';
      await writeFile(join(folder, `sample-${entry.id}-${index}.ts`), `${sample}\nexport {};\n`);
    }
  }
}
