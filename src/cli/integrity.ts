import { type Command, InvalidArgumentError } from 'commander';
import { httpUrlProblem } from '../api/text.ts';
import { readConfig } from '../config.ts';
import { examples } from './examples.ts';
import type { PageCheck, Verdict } from './check-page.ts';

export function registerIntegrityCommand(program: Command): void {
  program
    .command('integrity')
    .description('compare a live page with the scripts and styles that the service has published (PCI DSS 11.6.1)')
    .argument('<url>', 'a page of yours that holds the form, or a payment page', webAddress)
    .option('--service <url>', 'the service to compare with, in place of the one that the page names', webAddress)
    .option('--allow <host or hash>', 'a script of your own that is expected; may be given again', gather, [])
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit code: 0 when all is as published, 1 when something differs, 2 when called wrongly.')
    .addHelpText(
      'after',
      examples(
        'npx paylatch integrity https://shop.example/checkout --service https://pay.example --allow shop.example',
      ),
    )
    .action(async (url: string, options: { service?: string; allow: string[]; json?: boolean }) => {
      const { checkPage } = await import('./check-page.ts');
      const check = await checkPage({
        url,
        service: options.service?.replace(/\/+$/, '') ?? null,
        defaultService: () => readConfig(process.env).publicUrl,
        allowed: options.allow,
      });
      process.stdout.write(
        options.json ? `${JSON.stringify(check)}\n` : describe(check, options.service === undefined),
      );
      process.exitCode = check.findings.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
    });
}

function webAddress(text: string): string {
  const problem = httpUrlProblem(text);
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

function gather(value: string, previous: string[]): string[] {
  return [...previous, value];
}

const marks: Record<Verdict, string> = { published: 'ok', differs: 'DIFFERS', noted: '-' };

function describe({ page, service, version, findings }: PageCheck, isFound: boolean): string {
  const lines = findings.map(
    ({ verdict, kind, what, detail }) =>
      `${marks[verdict].padEnd(8)} ${kind.padEnd(7)} ${what}\n${' '.repeat(17)}${detail}`,
  );
  const count = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length;
  return [
    page,
    `compared with ${service}, version ${version}${isFound ? ' (named by the page itself, or by PUBLIC_URL: --service names it for certain)' : ''}`,
    '',
    ...lines,
    '',
    `${count('published')} as published, ${count('differs')} differ, ${count('noted')} to look at`,
    'A static check: it reads the page and the files that it names, and sees nothing that scripts load later.',
    '',
  ].join('\n');
}
