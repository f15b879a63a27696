import { typedSoFar } from './drawn-page.ts';
import type { PageDocument } from '../../src/contract/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { ParentChannel } from '../embed/parent-channel.ts';
import { bind, documentReadAtMs, drawn, live } from '../payment/page-life.ts';
import { PaymentApi } from '../payment/payment-api.ts';
import { PaymentStore, type PageWorld } from '../payment/payment-store.ts';
import type { PageRequest } from '../payment/requests.ts';
import { giveBack } from './handover.ts';
import { LinkPage } from './link-page.ts';

const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as PageDocument;

const world: PageWorld = {
  clock: browserClock,
  random: Math.random,
  api: new PaymentApi(pageDocument.linkPath, fetch.bind(globalThis)),
  leave: (address) => location.assign(address),
};
const store = new PaymentStore(pageDocument.state, world, documentReadAtMs());

const page = new LinkPage();
bind(page, store, pageDocument, browserClock);
page.address = location.origin + pageDocument.linkPath;

let carry = (request: PageRequest): void => void store.dispatch(request);
// In a window of its own there is nobody to ask.
if (pageDocument.embedding && window.parent !== window) {
  const channel = new ParentChannel(window, pageDocument.embedding.origins);
  const { Embedding } = await import('../embed/embedding.ts');
  const embedding = new Embedding(channel, page, store, pageDocument, 'link');
  world.showChallenge = embedding.showChallenge;
  carry = (request) => embedding.carry(request);
  embedding.start();
}
page.addEventListener('page-request', (event) => carry((event as CustomEvent<PageRequest>).detail));
document.body.prepend(page);
await drawn(page);
if (typedSoFar) giveBack(page, typedSoFar);
live(store);
