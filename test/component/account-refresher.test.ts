import { expect } from 'chai';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Refresher } from '../../pages/account/refresher.ts';

const turn = async () => await new Promise((resolve) => setTimeout(resolve));

function refresher(afterMs: number) {
  const controllers: ReactiveController[] = [];
  const host = { addController: (each: ReactiveController) => void controllers.push(each) };
  const reads: PromiseWithResolvers<void>[] = [];
  const made = new Refresher(host as unknown as ReactiveControllerHost, {
    afterMs,
    hasRead: () => reads.length > 0,
    async read() {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      await read.promise;
    },
  });
  const [controller] = controllers;
  controller?.hostConnected?.();
  const readCount = async (count: number) => {
    while (reads.length < count) await turn();
    return reads[count - 1];
  };
  return { made, reads, readCount, leave: () => controller?.hostDisconnected?.() };
}

describe('a refresher', () => {
  it('reads during continuous updates, one read after another', async () => {
    const { made, reads } = refresher(40);
    const news = setInterval(() => made.handleUpdate({ type: 'changed' }), 5);
    while (reads.length < 3) {
      reads.at(-1)?.resolve();
      await turn();
    }
    clearInterval(news);
  });

  it('reads once for several updates, and once more for updates during the read', async () => {
    const { made, reads, readCount } = refresher(0);
    made.schedule();
    made.schedule();
    const first = await readCount(1);
    made.schedule();
    made.schedule();
    await turn();
    expect(reads, 'not twice at a time').to.have.length(1);
    first?.resolve();
    (await readCount(2))?.resolve();
    await turn();
    await turn();
    expect(reads).to.have.length(2);
  });

  it('does not read for a new connection before the first read', async () => {
    const { made, reads, readCount } = refresher(0);
    made.handleUpdate({ type: 'connected' });
    for (let each = 0; each < 10; each++) await turn();
    expect(reads).to.deep.equal([]);
    made.handleUpdate({ type: 'missed' });
    (await readCount(1))?.resolve();
    await turn();
    made.handleUpdate({ type: 'connected' });
    await readCount(2);
  });

  it('continues after a failed read', async () => {
    const { made, readCount } = refresher(0);
    made.schedule();
    const first = await readCount(1);
    made.schedule();
    first?.reject(new Error('The line broke'));
    await readCount(2);
  });

  it('does not read after sign-out, or while disconnected', async () => {
    const { made, reads, leave } = refresher(0);
    made.handleUpdate({ type: 'signed_out' });
    for (let each = 0; each < 10; each++) await turn();
    made.schedule();
    leave();
    made.schedule();
    for (let each = 0; each < 10; each++) await turn();
    expect(reads).to.deep.equal([]);
  });
});
