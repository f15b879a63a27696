// The service of `npm run dev`: it is listening on its own port, and its pages load their scripts from Vite.
import { join } from 'node:path';
import type { PageAsset, PageAssets, PageScript } from '../pages/assets.ts';
import { readConfig } from '../src/config.ts';
import { startService } from '../src/startup/main.ts';
import { packageRoot } from '../src/system/root.ts';

const scriptOf = (source: string): PageScript => ({ url: `/${source}`, integrity: '', imports: [] });
/** The development server replaces the `@import` with a link, which Vite can update. */
const pageOf = (style: string, script: string | null): PageAsset => ({
  script: script === null ? null : scriptOf(`pages/${script}`),
  style: `@import "/pages/${style}";`,
  styleSource: "'self'",
});

const assets: PageAssets = {
  pages: {
    pay: pageOf('checkout/link/link-page.css', 'checkout/link/client.ts'),
    payWithMethods: pageOf('checkout/link/link-page.css', 'checkout/link/client-with-methods.ts'),
    card: pageOf('checkout/frame/card-frame.css', 'checkout/frame/client.ts'),
    invoice: pageOf('checkout/invoice/invoice-page.css', 'checkout/invoice/client.ts'),
    plain: pageOf('checkout/message/plain-page.css', null),
    reusableLink: pageOf('checkout/reusable-link/reusable-link.css', 'checkout/reusable-link/client.ts'),
    reference: pageOf('reference/reference.css', 'reference/client.ts'),
    account: pageOf('account/account.css', 'account/client.ts'),
  },
  sandboxPanel: scriptOf('pages/checkout/frame/sandbox.ts'),
  embedBridge: scriptOf('pages/checkout/embed/embed-bridge-on-demand.ts'),
};

try {
  const { port } = await startService(readConfig(process.env), {
    dist: join(packageRoot(), 'dist', 'dev'),
    assets,
    port: 0,
  });
  process.send?.({ port });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
