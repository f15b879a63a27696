import { Hono } from 'hono';
import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import type { OutcomeListener } from '../port.ts';
import type { PushListener } from '../push-port.ts';
import type { IssuerPage, SandboxProvider } from './provider.ts';
import { type SandboxPushProvider, type SimulatorPage, simulatedDecisions } from './push-provider.ts';

/** Draws the issuer's page: its whole HTML and the policy that it needs. */
export type RenderIssuerPage = (
  page: {
    merchantName: string;
    amount: { value: string; currency: string };
    cardLast4: string;
    actionUrl: string;
  },
  acceptLanguage: string | undefined,
) => { html: string; contentSecurityPolicy: string };

/** Draws the simulator's page: its whole HTML and the policy that it needs. */
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

/** Where a tester plays the buyer's bank or wallet. */
export function simulatorRoutes(options: {
  provider: SandboxPushProvider;
  render: RenderSimulatorPage;
  onPayment: PushListener;
}): Hono<HttpEnv> {
  const { provider } = options;

  const open = async (http: HttpContext): Promise<SimulatorPage> => {
    const page = await provider.findSimulatorPage(http.req.param('pageId') ?? '');
    if (!page) throw new Problem('not_found', 'The simulator knows nothing of this payment.');
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
      const asked = (await readForm(http)).get('decision');
      const decision = simulatedDecisions.find((known) => known === asked);
      if (!decision) {
        const detail = `must be one of ${simulatedDecisions.join(', ')}`;
        throw validationProblem([{ pointer: '/decision', code: 'invalid_value', detail }]);
      }
      await provider.simulate(pageId, decision, options.onPayment);
      return http.redirect(page.isBuyersWay ? page.returnUrl : `/sandbox/simulator/${pageId}`, 303);
    });
}

/** The simulated issuer's own site, where a buyer confirms a payment (3-D Secure). */
export function issuerRoutes(options: {
  provider: SandboxProvider;
  render: RenderIssuerPage;
  onOutcome: OutcomeListener;
}): Hono<HttpEnv> {
  const { provider } = options;

  const open = async (http: HttpContext): Promise<IssuerPage> => {
    const page = await provider.findIssuerPage(http.req.param('pageId') ?? '');
    if (!page) throw new Problem('not_found', 'The issuer knows nothing of this confirmation.');
    return page;
  };

  return new Hono<HttpEnv>()
    .get('/sandbox/issuer/:pageId', async (http) => {
      const page = await open(http);
      if (!page.open) return http.redirect(page.returnUrl, 303);
      const { html, contentSecurityPolicy } = options.render(
        {
          merchantName: page.merchantName,
          amount: {
            value: formatMinor(BigInt(page.amountMinor), minorUnitsOf(page.currency as CurrencyCode)),
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
      await provider.decide(http.req.param('pageId'), decision, options.onOutcome);
      return http.redirect(page.returnUrl, 303);
    });
}
