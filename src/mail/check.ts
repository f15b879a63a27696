import type { Database } from '../database/database.ts';
import { SECOND } from '../shared/time.ts';
import { type Check, ok, problem, warning } from '../system/diagnosis.ts';
import { db } from './schema.ts';
import type { MailOptions } from './settings.ts';
import { createSmtpTransport } from './smtp.ts';

/** Checks that the mail server accepts the connection, TLS and credentials, and that no email failed. */
export function checkMail(database: Database, options: MailOptions | null): Check {
  return {
    name: 'email',
    run: async () => {
      if (options === null) return ok('No mail server is configured: the service sends no email.');
      const transport = createSmtpTransport(options, 20 * SECOND);
      try {
        const failure = await transport.verify();
        if (failure)
          return problem(`The mail server cannot be used: ${failure.detail ?? failure.reason}.`, 'Correct SMTP_URL.');
      } finally {
        transport.close();
      }
      const { failed } = await db(database)
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('failed'))
        .where('state', '=', 'failed')
        .executeTakeFirstOrThrow();
      if (failed > 0)
        return warning(
          `The mail server works. Failed emails in the last 30 days: ${failed}.`,
          'See the reasons on the merchants’ Emails page.',
        );
      return ok(options.tls === 'none' ? 'The mail server works, without TLS.' : 'The mail server works, with TLS.');
    },
  };
}
