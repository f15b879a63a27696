import { expect } from 'chai';
import type { ReactiveControllerHost } from 'lit';
import { Loader } from '../../pages/account/loader.ts';

const host = { addController() {}, requestUpdate() {} } as unknown as ReactiveControllerHost;

function createLoader() {
  const requests: { answer: (value: string) => void; signal: AbortSignal }[] = [];
  const loader = new Loader<string>(host, async (signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    requests.push({ answer: resolve, signal });
    return await promise;
  });
  return { loader, requests };
}

const turn = async () => await new Promise((resolve) => setTimeout(resolve));

describe('a loader', () => {
  it('keeps the result of the latest run, whichever finishes first', async () => {
    const { loader, requests } = createLoader();
    const both = [loader.run(), loader.run()];
    requests[1]?.answer('new');
    requests[0]?.answer('old');
    await Promise.all(both);
    expect(loader.value).to.equal('new');
    expect(requests[0]?.signal.aborted).to.equal(true);
  });

  it('keeps the response to a change, and aborts the earlier run', async () => {
    const { loader, requests } = createLoader();
    const running = loader.run();
    loader.set('changed');
    expect(loader.isLoading).to.equal(false);
    requests[0]?.answer('from before the change');
    await running;
    expect(loader.value).to.equal('changed');
  });

  it('refreshes after the current run', async () => {
    const { loader, requests } = createLoader();
    void loader.run();
    const again = loader.refresh();
    await turn();
    expect(requests).to.have.length(1);
    void loader.run();
    requests[1]?.answer('first');
    await turn();
    expect(loader.value).to.equal('first');
    requests[2]?.answer('again');
    await again;
    expect(loader.value).to.equal('again');
  });
});
