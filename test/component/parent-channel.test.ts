import { expect } from 'chai';
import fc from 'fast-check';
import { type FrameWindow, ParentChannel } from '../../pages/checkout/embed/parent-channel.ts';
import { FRAME_PROTOCOL } from '../../src/shared/frame/connect.ts';
import type { FromFrame } from '../../src/shared/frame/from-frame.ts';
import type { ToFrame } from '../../src/shared/frame/to-frame.ts';
import {
  type Allowed,
  clonableValues,
  invalidVariants,
  validMessages,
  fromFrameAllowed,
  toFrameAllowed,
} from './frame-messages.ts';

const SHOP = 'https://shop.example';
const handshake = { connect: FRAME_PROTOCOL };

type Sender = Pick<MessageEventInit, 'source' | 'origin' | 'data'>;

/** Sent last by either side: its arrival proves that all earlier messages have arrived. */
const LAST = 'the last';
const lastFromFrame: FromFrame = { type: 'leave', address: LAST };
const lastToFrame: ToFrame = {
  type: 'configure',
  ...{
    locale: LAST,
    direction: '',
    scheme: 'dark',
    tokens: {},
    disabled: true,
    redirect: '',
    button: true,
    billing: {},
  },
};

/** A framed window whose parent is this window. Messages arrive as the browser would deliver them. */
function framedWindow(origins: readonly string[] | null = [SHOP]) {
  const events = new EventTarget();
  const channel = new ParentChannel(Object.assign(events, { parent: window }) as FrameWindow, origins);
  return {
    channel,
    /** Dispatches a message and returns the sender's ends of its ports. */
    dispatch(sender: Sender = {}, portCount = 1): MessagePort[] {
      const channels = Array.from({ length: portCount }, () => new MessageChannel());
      const ports = channels.map(({ port2 }) => port2);
      const validMessage = { source: window, origin: SHOP, data: handshake };
      // Merged without destructuring defaults, because `data: undefined` is a valid test case.
      events.dispatchEvent(new MessageEvent('message', { ...validMessage, ...sender, ports }));
      return channels.map(({ port1 }) => port1);
    },
  };
}

/** Messages received at a port, up to the last one. */
function receivedAt(port: MessagePort) {
  const messages: unknown[] = [];
  const all = new Promise<unknown[]>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<FromFrame>) => {
      if (data.type === 'leave' && data.address === LAST) resolve(messages);
      else messages.push(data);
    });
  });
  port.start();
  return { messages, all };
}

/** Messages received by the frame, up to the last one. */
async function receivedByChannel(channel: ParentChannel, port: MessagePort): Promise<ToFrame[]> {
  const messages: ToFrame[] = [];
  port.postMessage(lastToFrame);
  await new Promise<void>((resolve) => {
    channel.listen((message) => {
      if (message.type === 'configure' && message.locale === LAST) resolve();
      else messages.push(message);
    });
  });
  return messages;
}

const validMessagesOf = (allowed: Readonly<Record<string, Allowed>>) =>
  fc.oneof(...Object.entries(allowed).map(([type, properties]) => validMessages(type, properties)));
const toFrameMessages = validMessagesOf(toFrameAllowed) as fc.Arbitrary<ToFrame>;
const fromFrameMessages = validMessagesOf(fromFrameAllowed) as fc.Arbitrary<FromFrame>;
const badMessages = fc.oneof(
  clonableValues,
  fromFrameMessages,
  ...Object.entries<Allowed>(toFrameAllowed).map(([type, properties]) =>
    validMessages(type, properties).chain((message) => fc.constantFrom(...invalidVariants(message, properties))),
  ),
);

describe('the frame’s end of the channel', () => {
  let otherWindow: Window;

  before(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    otherWindow = frame.contentWindow as Window;
  });
  after(() => document.body.replaceChildren());

  /** Messages that must not open the channel, with their number of ports. */
  const rejectedMessages: fc.Arbitrary<[Sender, number]> = fc.oneof(
    fc.constantFrom(null, 'stranger').map((who): [Sender, number] => [{ source: who && otherWindow }, 1]),
    fc
      .constantFrom('', 'null', 'https://shop.example.evil', 'https://shop.example:444', 'http://shop.example', '*')
      .map((origin): [Sender, number] => [{ origin }, 1]),
    fc.constantFrom(0, 2, 5).map((ports): [Sender, number] => [{}, ports]),
    clonableValues.map((data): [Sender, number] => [{ data }, 1]),
    fc
      .constantFrom<unknown>('paylatch/1', { connect: 'paylatch/0' }, { connect: FRAME_PROTOCOL, more: 1 }, [handshake])
      .map((data): [Sender, number] => [{ data }, 1]),
  );

  it('opens with the first handshake of its parent, and communicates only with it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rejectedMessages, { maxLength: 8 }),
        fc.array(rejectedMessages, { maxLength: 8 }),
        fc.array(fromFrameMessages, { minLength: 1, maxLength: 4 }),
        async (before, after, sent) => {
          const { channel, dispatch } = framedWindow();
          const otherPorts = before.flatMap(([sender, ports]) => dispatch(sender, ports));
          const port = onlyPort(dispatch());
          // Later handshakes are rejected, even valid ones.
          otherPorts.push(...after.flatMap(([sender, ports]) => dispatch(sender, ports)), ...dispatch());
          const leaked = otherPorts.map(receivedAt);
          const results = receivedAt(port);
          for (const port of otherPorts) port.postMessage({ type: 'submit' });
          port.postMessage({ type: 'focus' });
          for (const message of sent) channel.send(message);
          channel.send(lastFromFrame);

          expect(await receivedByChannel(channel, port)).to.deep.equal([{ type: 'focus' }]);
          expect(await results.all).to.deep.equal(sent);
          expect(leaked.flatMap(({ messages }) => messages)).to.deep.equal([]);
          expect(channel.ignoredCount).to.equal(before.length + after.length + 1);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('delivers valid messages and counts all others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(toFrameMessages.map(good), badMessages.map(bad)), { maxLength: 20 }),
        async (messages) => {
          const { channel, dispatch } = framedWindow();
          const port = onlyPort(dispatch());
          for (const { message } of messages) port.postMessage(message);
          const acceptedMessages = messages.filter(({ isGood }) => isGood);
          expect(await receivedByChannel(channel, port)).to.deep.equal(acceptedMessages.map(({ message }) => message));
          expect(channel.ignoredCount).to.equal(messages.length - acceptedMessages.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('queues messages sent before the handshake and received before listen()', async () => {
    const { channel, dispatch } = framedWindow();
    channel.send({ type: 'pay-ready', reference: 'order-1' });
    channel.send({ type: 'height', height: 700 });
    const port = onlyPort(dispatch());
    const results = receivedAt(port);
    port.postMessage({ type: 'focus' });
    port.postMessage({ type: 'reset' });
    expect(await receivedByChannel(channel, port)).to.deep.equal([{ type: 'focus' }, { type: 'reset' }]);
    channel.send({ type: 'reveal' });
    channel.send(lastFromFrame);
    expect(await results.all).to.deep.equal([
      { type: 'pay-ready', reference: 'order-1' },
      { type: 'height', height: 700 },
      { type: 'reveal' },
    ]);
  });

  it('accepts any origin only without a list, and only from its parent', () => {
    const { channel, dispatch } = framedWindow(null);
    dispatch({ source: otherWindow });
    expect(channel.ignoredCount).to.equal(1);
    dispatch({ origin: 'https://anywhere.example' });
    expect(channel.ignoredCount).to.equal(1);
    dispatch();
    expect(channel.ignoredCount).to.equal(2);
  });

  it('rejects all origins if the list is empty', () => {
    const { channel, dispatch } = framedWindow([]);
    dispatch();
    expect(channel.ignoredCount).to.equal(1);
  });
});

function onlyPort([port]: readonly MessagePort[]): MessagePort {
  if (!port) throw new Error('The message had no port');
  return port;
}

const good = (message: ToFrame) => ({ message, isGood: true });
const bad = (message: unknown) => ({ message, isGood: false });
