// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Hono } from 'hono';
import { integrityList } from '../../src/api/integrity.ts';
import { type HttpServer, listen } from '../../src/http/server.ts';
import type { Finding, PageCheck } from '../../src/cli/check-page.ts';
import { integrityOf } from '../../src/assets/subresource-integrity.ts';
import { runInProcess } from '../support/command-line.ts';
import { createForm } from '../support/frames.ts';
import { runProgram } from '../support/program.ts';
import { createLink } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const settings = { PUBLIC_URL: 'http://127.0.0.1:1' };
const paylatch = async (...args: string[]) => await runInProcess(args, settings);

/** A merchant's site with content of the test. */
interface Site {
  url: string;
  files: Map<string, { type: string; body: string }>;
  headers: Record<string, string>;
}

describe('paylatch integrity', () => {
  let fixture: Fixture;
  let server: HttpServer;
  let site: Site;
  /** Of the current release. */
  let formUrl: string;
  let formIntegrity: string;

  before(async () => {
    fixture = await openFixture();
    const files: Site['files'] = new Map();
    const application = new Hono().get('*', (context) => {
      const file = files.get(new URL(context.req.url).pathname);
      if (!file) return context.text('', 404);
      return context.body(file.body, 200, { ...site.headers, 'Content-Type': file.type });
    });
    server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
    // Another host name than the service's, on the same machine.
    site = { url: `http://localhost:${server.port}`, files, headers: {} };
    const { files: published } = integrityList.parse(
      (await fixture.request('/widget/v1/integrity.json', { token: null })).body,
    );
    const form = published.find(({ url }) => url?.endsWith('/pay-form.js'));
    formUrl = form?.url ?? '';
    formIntegrity = form?.integrity ?? '';
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const pageOf = (head: string, body = '') => {
    site.files.set('/checkout', {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
    });
    return `${site.url}/checkout`;
  };
  const ourScript = (address = formUrl, integrity = `integrity="${formIntegrity}"`) =>
    `<script type="module" src="${address}" ${integrity} crossorigin></script>`;
  const check = async (address: string, ...args: string[]) => {
    const run = await paylatch('integrity', address, '--output', 'json', ...args);
    assert.ok(run.stdout !== '', run.stderr);
    const result = JSON.parse(run.stdout) as PageCheck;
    const find = (location: string | RegExp): Finding | undefined =>
      result.findings.find((finding) =>
        typeof location === 'string' ? finding.location.startsWith(location) : location.test(finding.location),
      );
    return { ...run, ...result, find, differing: result.findings.filter(({ status }) => status === 'differs') };
  };

  test('accepts a page with our unchanged script and its integrity attribute', async () => {
    const address = pageOf(ourScript(), `<pay-form src="${fixture.url}/e/x"></pay-form>`);
    const { code, service, find, differing } = await check(address);
    assert.deepEqual(differing, []);
    assert.equal(code, 0);
    assert.equal(service, fixture.url);
    assert.equal(find(formUrl)?.code, 'unchanged');
    assert.equal(find(formUrl)?.integrity, formIntegrity);
    assert.equal(find(`${fixture.url}/e/x`)?.kind, 'form');
  });

  test('prints a text report with its limitations', async () => {
    const fine = await paylatch('integrity', pageOf(ourScript()));
    assert.equal(fine.code, 0, fine.stderr);
    assert.match(fine.stdout, new RegExp(`^ok +script +${formUrl}$`, 'm'));
    assert.match(fine.stdout, /check is static/i);
    assert.match(fine.stdout, /^- +header +Content-Security-Policy\n +missing$/m);
    site.files.set('/own.js', { type: 'text/javascript', body: 'own()' });
    // Exit codes need a process.
    const args = ['integrity', pageOf(`${ourScript()}<script src="/own.js"></script>`)];
    const foreign = await runProgram(args, settings);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stdout, /^DIFFERS +script +http:\/\/localhost:\d+\/own\.js\n +not ours: localhost:\d+$/m);
    assert.match(foreign.stdout, /1 as published, 1 differ/);
  });

  test('requires the integrity attribute of the published script, also under the version alias', async () => {
    const current = `${fixture.url}/widget/v1/pay-form.js`;
    const other = integrityOf('other');
    for (const [address, attribute, code] of [
      [formUrl, '', 'integrity_missing'],
      [current, '', 'integrity_missing'],
      [formUrl, 'integrity=""', 'integrity_missing'],
      [formUrl, 'integrity="md5-abc"', 'integrity_missing'],
      [formUrl, `integrity="${other}"`, 'integrity_mismatch'],
      [formUrl, `integrity="${formIntegrity} ${other}"`, 'integrity_mismatch'],
      [current, `integrity="${formIntegrity}"`, 'unchanged'],
      [`${current}?x=1`, `integrity="${formIntegrity}"`, 'unchanged'],
    ] as const) {
      const { code: exit, find } = await check(pageOf(ourScript(address, attribute)));
      assert.equal(find(address)?.code, code, attribute);
      assert.equal(exit, code === 'unchanged' ? 0 : 1);
      if (code !== 'unchanged') assert.ok(find(address)?.detail.includes(formIntegrity), 'does not say the right one');
    }
  });

  test('detects that a served file differs from the published one', async () => {
    // A proxy in front of the service that changes files.
    let isChanging = false;
    const between = new Hono().get('*', async (context) => {
      const { pathname } = new URL(context.req.url);
      const response = await fetch(fixture.url + pathname);
      const text = await response.text();
      const isForm = pathname.endsWith('/pay-form.js');
      const body = isChanging && isForm ? `${text};fetch("https://stranger.example")` : text;
      return context.body(body, response.status as 200, { 'Content-Type': response.headers.get('content-type') ?? '' });
    });
    const proxy = await listen({ fetch: between.fetch, port: 0, host: '127.0.0.1' });
    try {
      const through = `http://127.0.0.1:${proxy.port}/widget/v1/pay-form.js`;
      const page = pageOf(ourScript(through));
      assert.equal((await check(page)).find(through)?.code, 'unchanged');
      isChanging = true;
      const changed = await check(page);
      assert.equal(changed.find(through)?.code, 'content_changed');
      assert.equal(changed.code, 1);
    } finally {
      await proxy.close();
    }
  });

  test('distinguishes unpublished and missing files on our host', async () => {
    const gone = `${fixture.url}/widget/0.0.1/pay-form.js`;
    const other = `${fixture.url}/icon.svg`;
    const { find, code } = await check(pageOf(ourScript() + ourScript(gone) + ourScript(other)));
    assert.equal(code, 1);
    assert.equal(find(gone)?.code, 'not_published');
    assert.equal(find(other)?.code, 'not_published');
  });

  test('finds code in all places that HTML allows', async () => {
    /** Each contains different code. */
    const inline = [
      '<script>CODE</script>',
      '<script type="TEXT/JavaScript">CODE</script>',
      '<script type="importmap">CODE</script>',
      '<svg><script>CODE</script></svg>',
      '<svg onload="CODE"></svg>',
      '<img src="x" onerror="CODE">',
      '<a href=" java&#10;script:CODE">x</a>',
      '<form action="javascript:CODE"></form>',
      '<iframe src="javascript:CODE"></iframe>',
      '<iframe srcdoc="&lt;script&gt;CODE&lt;/script&gt;"></iframe>',
      '<div><template shadowrootmode="open"><script>CODE</script></template></div>',
      '<!--><script>CODE</script>-->',
    ].map((markup, index) => ({ markup, code: `own(${index})` }));
    const linked = [
      '<script src="ADDRESS"></script>',
      '<script nomodule src="ADDRESS"></script>',
      '<link rel="modulepreload" href="ADDRESS">',
      '<svg><script href="ADDRESS"></script></svg>',
      '<svg><script xlink:href="ADDRESS"></script></svg>',
    ].map((markup, index) => ({ markup, address: `http://127.0.0.1:1/${index}.js` }));
    const body = [
      ...inline.map(({ markup, code }) => markup.replace('CODE', code)),
      ...linked.map(({ markup, address }) => markup.replace('ADDRESS', address)),
      '<script src="data:text/javascript,own()"></script>',
    ].join('\n');
    const { code, differing } = await check(pageOf(ourScript(), body));
    assert.equal(code, 1);
    for (const { markup, code: text } of inline) {
      const found = differing.some(
        ({ integrity, detail }) =>
          [text, ` java\nscript:${text}`, `javascript:${text}`].some((each) => integrity === integrityOf(each)) &&
          detail === 'not ours: inline script',
      );
      assert.ok(found, markup);
    }
    for (const { markup, address } of linked) {
      assert.ok(
        differing.some(({ location, detail }) => location === address && detail === 'not ours: 127.0.0.1:1'),
        markup,
      );
    }
    assert.equal(differing.length, inline.length + linked.length + 1);

    const elsewhere = '<base href="http://127.0.0.1:1/"><base href="/"><script src="own.js"></script>';
    assert.equal(
      (await check(pageOf(ourScript(), elsewhere))).find('http://127.0.0.1:1/own.js')?.code,
      'not_from_service',
    );
    // A browser uses the first base element of the document.
    const decoys = [`<svg><base href="${fixture.url}/"></svg>`, `<template><base href="${fixture.url}/"></template>`];
    for (const decoy of decoys) {
      const { pathname } = new URL(formUrl);
      const { find } = await check(pageOf(ourScript(), `${decoy}<script src="${pathname}"></script>`));
      assert.equal(find(site.url + pathname)?.status, 'differs', decoy);
    }
    const harmless =
      '<script type="application/json">{"own": 1}</script><!-- <script>own()</script> --><p title="onclick">';
    assert.equal((await check(pageOf(ourScript(), harmless))).code, 0);
  });

  test('the page’s own files can be allowed by host or by hash', async () => {
    site.files.set('/own.js', { type: 'text/javascript', body: 'own()' });
    const page = pageOf(`${ourScript()}<script src="/own.js"></script><script>inline()</script>`);
    const { differing } = await check(page);
    assert.equal(differing.length, 2);
    const hashes = differing.map(({ integrity }) => integrity ?? '');
    assert.deepEqual(hashes, [integrityOf('own()'), integrityOf('inline()')]);
    const byHash = await check(page, ...hashes.flatMap((hash) => ['--allow', hash]));
    assert.equal(byHash.code, 0);
    const byHost = await check(page, '--allow', new URL(site.url).host, '--allow', hashes[1] ?? '');
    assert.equal(byHost.code, 0);
    site.files.set('/own.js', { type: 'text/javascript', body: 'own(); skim()' });
    const changed = await check(page, ...hashes.flatMap((hash) => ['--allow', hash]));
    assert.equal(changed.code, 1);
    assert.equal(changed.find(`${site.url}/own.js`)?.code, 'not_from_service');
  });

  test('lists form targets, foreign styles, frames and headers', async () => {
    site.headers = { 'Content-Security-Policy': "script-src 'self'", 'Strict-Transport-Security': 'max-age=1' };
    const { find, findings, differing } = await check(
      pageOf(
        `${ourScript()}<style>p{}</style><link rel="stylesheet" href="/own.css"><meta http-equiv="content-security-policy" content="base-uri 'none'">`,
        `<form action="/send"></form><form><button formaction="https://stranger.example/take"></button></form><iframe src="https://video.example/"></iframe><pay-form src="https://stranger.example/e/1"></pay-form><pay-form src="${fixture.url}/e/1"></pay-form><meta http-equiv="Refresh" content="0; URL='https://stranger.example/shop'"><meta http-equiv="refresh" content="30">`,
      ),
    );
    site.headers = {};
    assert.deepEqual(
      differing.map(({ kind, location }) => [kind, location]),
      [
        ['form', 'https://stranger.example/take'],
        ['form', 'https://stranger.example/e/1'],
        ['form', 'https://stranger.example/shop'],
      ],
    );
    assert.equal(find(`${site.url}/own.css`)?.status, 'noted');
    assert.equal(find('https://video.example/')?.detail, 'not ours: video.example');
    assert.equal(find(`${site.url}/send`)?.kind, 'form');
    assert.equal(find('Content-Security-Policy')?.detail, "script-src 'self'");
    assert.equal(find('Content-Security-Policy, in the page')?.detail, "base-uri 'none'");
    assert.equal(find('Strict-Transport-Security')?.code, 'set');
    assert.equal(find('Referrer-Policy')?.code, 'missing');
    assert.equal(findings.filter(({ kind }) => kind === 'style').length, 2);
  });

  test('accepts our own pages, and detects foreign scripts and styles in them', async () => {
    const form = await createForm(fixture);
    const { path } = await createLink(fixture);
    for (const address of [form.path, path]) {
      const { code, differing, findings } = await check(fixture.url + address, '--service', fixture.url);
      assert.deepEqual(differing, [], address);
      assert.equal(code, 0);
      assert.ok(findings.filter(({ status }) => status === 'published').length >= 3);
    }
    const tampering = new Hono().get('*', async (context) => {
      const response = await fetch(fixture.url + new URL(context.req.url).pathname);
      const type = response.headers.get('content-type') ?? '';
      const text = await response.text();
      const isPage = type.startsWith('text/html');
      const body = isPage ? text.replace('</head>', '<style>p{}</style><script>skim()</script></head>') : text;
      return context.body(body, 200, { 'Content-Type': type });
    });
    const proxy = await listen({ fetch: tampering.fetch, port: 0, host: '127.0.0.1' });
    const proxied = `http://127.0.0.1:${proxy.port}`;
    const { code, differing } = await check(proxied + path, '--service', proxied);
    await proxy.close();
    assert.equal(code, 1);
    assert.deepEqual(differing.map(({ kind }) => kind).sort(), ['script', 'style']);
  });

  test('compares with the given service, not with the one that the page references', async () => {
    const page = pageOf(ourScript('http://127.0.0.1:1/widget/v1/pay-form.js'));
    const named = await check(page, '--service', `${fixture.url}/`);
    assert.equal(named.service, fixture.url);
    assert.equal(named.code, 1);
    assert.equal(named.differing[0]?.code, 'not_from_service');
  });

  test('reports failed checks with exit code 1', async () => {
    site.files.set('/data.json', { type: 'application/json', body: '{}' });
    for (const [args, pattern] of [
      [['http://127.0.0.1:1/'], /^http:\/\/127\.0\.0\.1:1\/ could not be loaded/],
      [[`${site.url}/data.json`], /is not an HTML page/],
      [[pageOf('<p>nothing of ours')], /^http:\/\/127\.0\.0\.1:1\/widget\/v1\/integrity\.json could not be loaded/],
      [[pageOf(''), '--service', site.url], /is not a list of published files/],
    ] as const) {
      const { code, stderr, stdout } = await paylatch('integrity', ...args);
      assert.equal(code, 1, stderr);
      assert.match(stderr, pattern);
      assert.equal(stdout, '');
      assert.equal(stderr.trim().split('\n').length, 1);
    }
    const missing = await check(`${fixture.url}/p/nothing-here`, '--service', fixture.url);
    assert.equal(missing.find(/nothing-here/)?.code, 'not_ok');
    assert.equal(missing.code, 1);
  });

  test('exits with 2 on invalid usage', async () => {
    for (const args of [
      [],
      ['nonsense'],
      ['ftp://shop.example/'],
      [site.url, '--service', 'x'],
      [site.url, '--strict'],
      [site.url, 'more'],
    ]) {
      const { code, stderr } = await paylatch('integrity', ...args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    }
    assert.equal((await paylatch('integrity', '--help')).code, 0);
  });
});
