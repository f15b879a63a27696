import type { FrameRefusal, PageDocument } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { Embedding } from '../embed/embedding.ts';
import { ParentChannel } from '../embed/parent-channel.ts';
import { bind, documentReadAtMs, live } from '../store/page-life.ts';
import { PaymentApi } from '../store/payment-api.ts';
import { type PageWorld, PaymentStore } from '../store/payment-store.ts';
import type { PageRequest } from '../store/requests.ts';
import { CardFrame } from './card-frame.ts';

const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as
  | PageDocument
  | FrameRefusal;

if ('refusal' in pageDocument) refuse(pageDocument);
else begin(pageDocument);

function begin(pageDocument: PageDocument) {
  const world: PageWorld = {
    clock: browserClock,
    random: Math.random,
    api: new PaymentApi(pageDocument.linkPath, fetch.bind(globalThis)),
  };
  const store = new PaymentStore(pageDocument.state, world, documentReadAtMs());
  const channel = new ParentChannel(window, pageDocument.embedding?.origins ?? null);
  const page = new CardFrame();
  bind(page, store, pageDocument, browserClock);
  const embedding = new Embedding(channel, page, store, pageDocument, 'card');
  world.showChallenge = embedding.showChallenge;
  page.addEventListener('page-request', (event) => embedding.carry((event as CustomEvent<PageRequest>).detail));
  document.body.prepend(page);
  embedding.start();
  live(store, pageDocument.linkPath);
}

/** The page already shows the reason; this also reports it to the element. */
function refuse({ refusal }: FrameRefusal) {
  const channel = new ParentChannel(window, null);
  channel.tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });
  const error = { type: 'pay-error', reference: null, ...refusal } as const;
  channel.tell(error);
  channel.listen((message) => {
    if (message.type === 'submit') channel.tell(error);
  });
}
