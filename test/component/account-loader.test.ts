import { expect } from 'chai';
import type { ReactiveControllerHost } from 'lit';
import { Loader } from '../../pages/account/loader.ts';

const host = { addController() {}, requestUpdate() {} } as unknown as ReactiveControllerHost;

function load() {
  const asked: { answer: (value: string) => void; signal: AbortSignal }[] = [];
  const read = new Loader<string>(host, async (signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    asked.push({ answer: resolve, signal });
    return await promise;
  });
  return { read, asked };
}

const turn = async () => await new Promise((resolve) => setTimeout(resolve));

describe('a loader', () => {
  it('keeps the result of the latest run, whichever finishes first', async () => {
    const { read, asked } = load();
    const both = [read.run(), read.run()];
    asked[1]?.answer('new');
    asked[0]?.answer('old');
    await Promise.all(both);
    expect(read.value).to.equal('new');
    expect(asked[0]?.signal.aborted).to.equal(true);
  });

  it('keeps the response to a change, and aborts the earlier run', async () => {
    const { read, asked } = load();
    const running = read.run();
    read.set('changed');
    expect(read.isLoading).to.equal(false);
    asked[0]?.answer('from before the change');
    await running;
    expect(read.value).to.equal('changed');
  });

  it('refreshes after the current run', async () => {
    const { read, asked } = load();
    void read.run();
    const again = read.refresh();
    await turn();
    expect(asked).to.have.length(1);
    void read.run();
    asked[1]?.answer('first');
    await turn();
    expect(read.value).to.equal('first');
    asked[2]?.answer('again');
    await again;
    expect(read.value).to.equal('again');
  });
});
