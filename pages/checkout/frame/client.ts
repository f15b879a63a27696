import type { FrameError, PageDocument } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { EmbedBridge } from '../embed/embed-bridge.ts';
import { ParentChannel } from '../embed/parent-channel.ts';
import { connectPage, documentTimeMs, startUpdates } from '../store/page-lifecycle.ts';
import { PaymentApi } from '../store/payment-api.ts';
import { type PageEnvironment, PaymentStore } from '../store/payment-store.ts';
import type { PageRequest } from '../store/requests.ts';
import { CardFrame } from './card-frame.ts';

const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as
  | PageDocument
  | FrameError;

if ('error' in pageDocument) reportError(pageDocument);
else start(pageDocument);

function start(pageDocument: PageDocument) {
  const env: PageEnvironment = {
    clock: browserClock,
    random: Math.random,
    api: new PaymentApi(pageDocument.linkPath, fetch.bind(globalThis)),
  };
  const store = new PaymentStore(pageDocument.state, env, documentTimeMs());
  const channel = new ParentChannel(window, pageDocument.embedding?.origins ?? null);
  const page = new CardFrame();
  connectPage(page, store, pageDocument, browserClock);
  const bridge = new EmbedBridge(channel, page, store, pageDocument, 'card');
  env.showChallenge = bridge.showChallenge;
  page.addEventListener('page-request', (event) => bridge.handle((event as CustomEvent<PageRequest>).detail));
  document.body.prepend(page);
  bridge.start();
  startUpdates(store, pageDocument.linkPath);
}

/** The page already shows a message. The reason is for the merchant's developers. */
function reportError({ error: details }: FrameError) {
  // oxlint-disable-next-line no-console -- in production the page does not show it
  console.info(details.message);
  const channel = new ParentChannel(window, null);
  channel.send({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });
  const error = { type: 'pay-error', reference: null, ...details } as const;
  channel.send(error);
  channel.listen((message) => {
    if (message.type === 'submit') channel.send(error);
  });
}
