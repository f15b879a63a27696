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

describe('what is read again after news', () => {
  it('is read however many news come, one after the other', async () => {
    const { made, reads } = refresher(40);
    const news = setInterval(() => made.handleUpdate({ type: 'changed' }), 5);
    while (reads.length < 3) {
      reads.at(-1)?.resolve();
      await turn();
    }
    clearInterval(news);
  });

  it('is read once for several news, and once more for those that came meanwhile', async () => {
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

  it('is not read for whoever begins to listen before anything has been read', async () => {
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

  it('goes on after a reading that failed', async () => {
    const { made, readCount } = refresher(0);
    made.schedule();
    const first = await readCount(1);
    made.schedule();
    first?.reject(new Error('The line broke'));
    await readCount(2);
  });

  it('is not read once nobody looks, or nobody is there any more', async () => {
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
