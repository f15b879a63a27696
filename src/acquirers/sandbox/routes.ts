import { Hono } from 'hono';
import { minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import type { InProcessContext } from '../adapter.ts';
import type { IssuerPage, SandboxCardAcquirer } from './card-acquirer.ts';
import { type SandboxPushAcquirer, type SimulatorPage, simulatedActions } from './push-acquirer.ts';

/** Renders the issuer's page, with its content security policy. */
export type RenderIssuerPage = (
  page: {
    merchantName: string;
    amount: { value: string; currency: string };
    cardLast4: string;
    actionUrl: string;
  },
  acceptLanguage: string | undefined,
) => { html: string; contentSecurityPolicy: string };

/** Renders the simulator's page, with its content security policy. */
export type RenderSimulatorPage = (
  page: {
    merchantName: string;
    amount: { value: string; currency: string };
    received: { value: string; currency: string } | null;
    isOpen: boolean;
    actionUrl: string;
    returnUrl: string;
  },
  acceptLanguage: string | undefined,
) => { html: string; contentSecurityPolicy: string };

/** The page where a tester simulates the buyer's bank or wallet. */
export function simulatorRoutes(options: {
  acquirer: SandboxPushAcquirer;
  render: RenderSimulatorPage;
  notify: InProcessContext['notify'];
}): Hono<HttpEnv> {
  const { acquirer } = options;

  const open = async (http: HttpContext): Promise<SimulatorPage> => {
    const page = await acquirer.findSimulatorPage(http.req.param('pageId') ?? '');
    if (!page) throw new Problem('not_found', 'The simulator has no payment with this ID.');
    return page;
  };

  return new Hono<HttpEnv>()
    .get('/sandbox/simulator/:pageId', async (http) => {
      const page = await open(http);
      const amount = (minor: bigint) => ({
        value: formatMinor(minor, minorUnitsOf(page.currency)),
        currency: page.currency,
      });
      const { html, contentSecurityPolicy } = options.render(
        {
          merchantName: page.merchantName,
          amount: amount(page.amountMinor),
          received: page.receivedMinor > 0n ? amount(page.receivedMinor) : null,
          isOpen: page.state === 'open',
          actionUrl: `/sandbox/simulator/${http.req.param('pageId')}`,
          returnUrl: page.returnUrl,
        },
        http.req.header('accept-language'),
      );
      http.header('Content-Security-Policy', contentSecurityPolicy);
      return http.html(html);
    })

    .post('/sandbox/simulator/:pageId', async (http) => {
      const page = await open(http);
      const pageId = http.req.param('pageId');
      const submitted = (await readForm(http)).get('decision');
      const action = simulatedActions.find((each) => each === submitted);
      if (!action) {
        const detail = `must be one of ${simulatedActions.join(', ')}`;
        throw validationProblem([{ pointer: '/decision', code: 'invalid_value', detail }]);
      }
      await acquirer.simulate(pageId, action, options.notify);
      return http.redirect(page.isRedirect ? page.returnUrl : `/sandbox/simulator/${pageId}`, 303);
    });
}

/** The simulated issuer's page, where a buyer completes a 3-D Secure challenge. */
export function issuerRoutes(options: {
  acquirer: SandboxCardAcquirer;
  render: RenderIssuerPage;
  notify: InProcessContext['notify'];
}): Hono<HttpEnv> {
  const { acquirer } = options;

  const open = async (http: HttpContext): Promise<IssuerPage> => {
    const page = await acquirer.findIssuerPage(http.req.param('pageId') ?? '');
    if (!page) throw new Problem('not_found', 'The issuer has no challenge with this ID.');
    return page;
  };

  return new Hono<HttpEnv>()
    .get('/sandbox/issuer/:pageId', async (http) => {
      const page = await open(http);
      if (!page.isOpen) return http.redirect(page.returnUrl, 303);
      const { html, contentSecurityPolicy } = options.render(
        {
          merchantName: page.merchantName,
          amount: {
            value: formatMinor(BigInt(page.amountMinor), minorUnitsOf(page.currency)),
            currency: page.currency,
          },
          cardLast4: page.last4,
          actionUrl: `/sandbox/issuer/${http.req.param('pageId')}`,
        },
        http.req.header('accept-language'),
      );
      http.header('Content-Security-Policy', contentSecurityPolicy);
      return http.html(html);
    })

    .post('/sandbox/issuer/:pageId', async (http) => {
      const page = await open(http);
      const decision = (await readForm(http)).get('decision');
      if (decision !== 'approve' && decision !== 'refuse') {
        throw validationProblem([{ pointer: '/decision', code: 'invalid_value', detail: 'must be approve or refuse' }]);
      }
      await acquirer.completeChallenge(http.req.param('pageId'), decision, options.notify);
      return http.redirect(page.returnUrl, 303);
    });
}
