import { type Command, InvalidArgumentError } from 'commander';
import { httpUrlProblem } from '../api/text.ts';
import { readConfig } from '../config.ts';
import { examples } from './examples.ts';
import { outputOption, type Output } from './output.ts';
import type { PageCheck, FindingStatus } from './check-page.ts';

export function registerIntegrityCommand(program: Command): void {
  program
    .command('integrity')
    .description('compare a live page with the published scripts and styles (PCI DSS 11.6.1)')
    .argument('<url>', 'your page with the form, or a payment page', parseUrl)
    .option('--service <url>', 'the service to compare with, instead of the one that the page references', parseUrl)
    .option('--allow <host or hash>', 'an expected script of your own; repeatable', collect, [])
    .addOption(outputOption())
    .addHelpText('after', '\nExit codes: 0 everything matches, 1 something differs, 2 invalid usage.')
    .addHelpText(
      'after',
      examples(
        'npx paylatch integrity https://shop.example/checkout --service https://pay.example --allow shop.example',
      ),
    )
    .action(async (url: string, options: { service?: string; allow: string[]; output: Output }) => {
      const { checkPage } = await import('./check-page.ts');
      const check = await checkPage({
        url,
        service: options.service?.replace(/\/+$/, '') ?? null,
        defaultService: () => readConfig(process.env).publicUrl,
        allowed: options.allow,
      });
      process.stdout.write(
        options.output === 'json' ? `${JSON.stringify(check)}\n` : formatCheck(check, options.service === undefined),
      );
      process.exitCode = check.findings.some(({ status }) => status === 'differs') ? 1 : 0;
    });
}

function parseUrl(text: string): string {
  const problem = httpUrlProblem(text);
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

const marks: Record<FindingStatus, string> = { published: 'ok', differs: 'DIFFERS', noted: '-' };

function formatCheck({ page, service, version, findings }: PageCheck, isFound: boolean): string {
  const lines = findings.map(
    ({ status, kind, location, detail }) =>
      `${marks[status].padEnd(8)} ${kind.padEnd(7)} ${location}\n${' '.repeat(17)}${detail}`,
  );
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  return [
    page,
    `compared with ${service}, version ${version}${isFound ? ' (taken from the page or PUBLIC_URL; set it explicitly with --service)' : ''}`,
    '',
    ...lines,
    '',
    `${count('published')} as published, ${count('differs')} differ, ${count('noted')} to review`,
    'This check is static: it reads the page and the files that it references, but not content that scripts load later.',
    '',
  ].join('\n');
}
