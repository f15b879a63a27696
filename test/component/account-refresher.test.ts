import { expect } from 'chai';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Refresher } from '../../pages/account/refresher.ts';

const turn = async () => await new Promise((resolve) => setTimeout(resolve));

function createRefresher(afterMs: number) {
  const controllers: ReactiveController[] = [];
  const host = { addController: (each: ReactiveController) => void controllers.push(each) };
  const reads: PromiseWithResolvers<void>[] = [];
  const refresher = new Refresher(host as unknown as ReactiveControllerHost, {
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
  return { refresher, reads, readCount, leave: () => controller?.hostDisconnected?.() };
}

describe('a refresher', () => {
  it('reads during continuous updates, one read after another', async () => {
    const { refresher, reads } = createRefresher(40);
    const interval = setInterval(() => refresher.handleUpdate({ type: 'changed' }), 5);
    while (reads.length < 3) {
      reads.at(-1)?.resolve();
      await turn();
    }
    clearInterval(interval);
  });

  it('reads once for several updates, and once more for updates during the read', async () => {
    const { refresher, reads, readCount } = createRefresher(0);
    refresher.schedule();
    refresher.schedule();
    const first = await readCount(1);
    refresher.schedule();
    refresher.schedule();
    await turn();
    expect(reads, 'one read at a time').to.have.length(1);
    first?.resolve();
    (await readCount(2))?.resolve();
    await turn();
    await turn();
    expect(reads).to.have.length(2);
  });

  it('does not read for a new connection before the first read', async () => {
    const { refresher, reads, readCount } = createRefresher(0);
    refresher.handleUpdate({ type: 'connected' });
    for (let each = 0; each < 10; each++) await turn();
    expect(reads).to.deep.equal([]);
    refresher.handleUpdate({ type: 'missed' });
    (await readCount(1))?.resolve();
    await turn();
    refresher.handleUpdate({ type: 'connected' });
    await readCount(2);
  });

  it('continues after a failed read', async () => {
    const { refresher, readCount } = createRefresher(0);
    refresher.schedule();
    const first = await readCount(1);
    refresher.schedule();
    first?.reject(new Error('The connection broke'));
    await readCount(2);
  });

  it('does not read after sign-out, or while disconnected', async () => {
    const { refresher, reads, leave } = createRefresher(0);
    refresher.handleUpdate({ type: 'signed_out' });
    for (let each = 0; each < 10; each++) await turn();
    refresher.schedule();
    leave();
    refresher.schedule();
    for (let each = 0; each < 10; each++) await turn();
    expect(reads).to.deep.equal([]);
  });
});
