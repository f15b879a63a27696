import { expect } from 'chai';
import fc from 'fast-check';
import { FRAME_PROTOCOL } from '../../src/shared/frame/connect.ts';
import { type Allowed, clonableValues, invalidVariants, validMessages, fromFrameAllowed } from './frame-messages.ts';
import { payEventTypes, payForm, FAKE_FRAME_URL, connectFakeFrame } from './fake-frame.ts';

const tokenRequest = { type: 'theme', color: ['accent', 'text'], columnGap: ['gap'], fontFamily: ['font-family'] };
const complete = { type: 'pay-change', complete: true, empty: false, brand: 'visa', invalid: [] };
const success = { type: 'pay-success', reference: 'order-1' };

const isEvent = (type: string) => payEventTypes.some((event) => event === type);
/** Messages that only become an event; the others have further effects. */
const eventMessages = fc.oneof(
  ...Object.entries<Allowed>(fromFrameAllowed)
    .filter(([type]) => isEvent(type))
    .map(([type, properties]) => validMessages(type, properties)),
);
const badMessages = fc.oneof(
  clonableValues,
  ...Object.entries<Allowed>(fromFrameAllowed).map(([type, properties]) =>
    validMessages(type, properties).chain((message) => fc.constantFrom(...invalidVariants(message, properties))),
  ),
);

describe('the element', () => {
  afterEach(() => document.body.replaceChildren());

  it('sends its frame one port and the protocol', async () => {
    const { fakeFrame, send } = await payForm();
    await send();
    expect(fakeFrame.handshakes).to.deep.equal([
      { data: { connect: FRAME_PROTOCOL }, origin: location.origin, portCount: 1 },
    ]);
  });

  it('offers the channel only to documents of the origin of its URL', async () => {
    const { frame } = await payForm();
    const origins: unknown[] = [];
    // Whatever document the frame has loaded by then.
    Object.assign(frame.contentWindow ?? {}, { postMessage: (_: unknown, origin: unknown) => origins.push(origin) });
    frame.dispatchEvent(new Event('load'));
    expect(origins).to.deep.equal([location.origin]);
  });

  it('adds its origin and locale to the frame’s URL', async () => {
    const { frame } = await payForm({ src: `${FAKE_FRAME_URL}?a=1`, locale: 'en-GB' });
    expect(Object.fromEntries(new URL(frame.src).searchParams)).to.deep.equal({
      a: '1',
      origin: location.origin,
      locale: 'en-GB',
    });
  });

  it('grants the frame only the necessary sandbox flags', async () => {
    const { frame } = await payForm();
    // Links to an issuer or an app open a new tab; nothing may navigate the page itself.
    expect([...frame.sandbox].toSorted()).to.deep.equal([
      'allow-forms',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
    ]);
    expect(frame.allow).to.equal('');
  });

  it('fires an event for each event message, with its other properties as detail', async () => {
    const { events, send } = await payForm();
    await fc.assert(
      fc.asyncProperty(fc.array(eventMessages, { maxLength: 10 }), async (messages) => {
        events.length = 0;
        await send(...messages);
        const expected = messages.map(({ type, ...detail }) => {
          return { type, detail, bubbles: true, composed: true, cancelable: type === 'pay-submit' };
        });
        expect(events.map((event) => ({ ...event, detail: plain(event.detail) }))).to.deep.equal(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('counts invalid messages and ignores them', async () => {
    const { element, frame, events, send } = await payForm();
    const faults: unknown[] = [];
    const onError = (event: Event) => faults.push(event);
    addEventListener('error', onError);
    const before = { address: location.href, html: element.outerHTML, frame: frame.outerHTML };
    await fc.assert(
      fc.asyncProperty(fc.array(badMessages, { maxLength: 20 }), async (messages) => {
        element.ignoredCount = 0;
        await send(...messages);
        expect(element.ignoredCount).to.equal(messages.length);
      }),
      { numRuns: 60 },
    );
    removeEventListener('error', onError);
    expect(faults).to.deep.equal([]);
    expect(events).to.deep.equal([]);
    expect({ address: location.href, html: element.outerHTML, frame: frame.outerHTML }).to.deep.equal(before);
  });

  it('navigates to http(s) URLs only', async () => {
    const { send } = await payForm();
    const before = location.href;
    const addresses = ['javascript:document.title="ran"', 'data:text/html,x', ' https://a.example', '//a.example', ''];
    await send(...addresses.map((address) => ({ type: 'leave', address })));
    expect([location.href, document.title === 'ran']).to.deep.equal([before, false]);
  });

  it('does not listen to messages of the window', async () => {
    const listenerTypes: string[] = [];
    const own = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, ...listener) {
      // A window function that is called without an object has no `this`.
      if ((this ?? window) === window) listenerTypes.push(listener[0]);
      own.apply(this ?? window, listener);
    };
    try {
      const { element, events, send } = await payForm();
      window.postMessage(success, location.origin);
      await new Promise((resolve) => own.call(window, 'message', resolve, { once: true }));
      await send();
      expect(events).to.deep.equal([]);
      expect(element.ignoredCount).to.equal(0);
      expect(listenerTypes).not.to.include('message');
      expect(window.onmessage).to.equal(null);
    } finally {
      EventTarget.prototype.addEventListener = own;
    }
  });

  it('accepts messages only from the current document in its frame', async () => {
    const { element, fakeFrame, events } = await payForm();
    // A port stays open in the window that it is transferred to.
    const { port1, port2 } = new MessageChannel();
    const transferredPort = new Promise<MessagePort | undefined>((resolve) => {
      port2.addEventListener('message', ({ ports: [port] }) => resolve(port), { once: true });
      port2.start();
    });
    port1.postMessage(null, fakeFrame.ports.splice(0));
    const previousPort = await transferredPort;
    previousPort?.postMessage({ type: 'pay-pending', reference: 'order-1' });
    await new Promise((resolve) => element.addEventListener('pay-pending', resolve, { once: true }));

    const reconnected = connectFakeFrame(element);
    fakeFrame.location.reload();
    const { send } = await reconnected;
    previousPort?.postMessage(success);
    await send();
    expect(events.map(({ type }) => type)).to.deep.equal(['pay-pending']);
  });

  it('sends the configuration to each new document in its frame', async () => {
    const { element, fakeFrame, send, receives } = await payForm();
    await send(tokenRequest);
    const first = await receives('configure');
    const reconnected = connectFakeFrame(element);
    fakeFrame.location.reload();
    const { send: sendAgain, receives: receivesAgain } = await reconnected;
    await sendAgain(tokenRequest);
    expect(await receivesAgain('configure')).to.deep.equal(first);
  });

  it('resets for a new `src`: unpaid, empty, one frame', async () => {
    const { element, send } = await payForm();
    await send(success);
    expect(element.checkValidity()).to.equal(true);
    element.src = `${FAKE_FRAME_URL}?other`;
    expect(element.checkValidity()).to.equal(false);
    const { frame } = await connectFakeFrame(element);
    expect(frame.src).to.contain('?other');
    expect(element.shadowRoot?.querySelectorAll('iframe')).to.have.lengthOf(1);
  });

  it('reserves the form’s height, then follows the height of the frame', async () => {
    const { element, frame, send } = await payForm();
    expect(getComputedStyle(frame).visibility).to.equal('hidden');
    expect(element.offsetHeight).to.be.greaterThan(500);
    for (const height of [812, 100]) {
      await send({ type: 'height', height });
      expect(getComputedStyle(frame).visibility).to.equal('visible');
      expect([frame.offsetHeight, element.offsetHeight]).to.deep.equal([height, height]);
    }
    element.remove();
    document.body.append(element);
    expect(element.offsetHeight).to.be.greaterThan(500);
  });

  it('is only as tall as its own error while the frame cannot be reached', async () => {
    const { element, frame, send } = await payForm();
    await send({ type: 'height', height: 812 });
    const { src } = element;
    element.src = 'http://';
    const alert = element.shadowRoot?.querySelector<HTMLElement>('[role=alert]');
    expect(alert?.offsetHeight).to.be.within(100, 200);
    expect(element.offsetHeight).to.equal(alert?.offsetHeight);
    element.src = src;
    expect(element.offsetHeight).to.be.greaterThan(500);
    const again = await connectFakeFrame(element);
    expect(again.frame).not.to.equal(frame);
    await again.send({ type: 'height', height: 100 });
    expect([alert?.offsetHeight, element.offsetHeight]).to.deep.equal([0, 100]);
  });

  it('uses the frame’s title and validation message', async () => {
    const { element, frame, send } = await payForm();
    await send({ type: 'labels', title: 'Kartenzahlung', incomplete: 'Bitte ausfüllen.' });
    expect(frame.title).to.equal('Kartenzahlung');
    await send({ ...complete, complete: false });
    expect(element.validationMessage).to.equal('Bitte ausfüllen.');
  });

  describe('sends the configuration', () => {
    it('when the frame requests tokens', async () => {
      const { element, send, receives } = await payForm({ theme: 'dark', redirect: 'top', dir: 'rtl', locale: 'he' });
      element.billing = { first_name: 'Ada' };
      element.noButton = true;
      element.disabled = true;
      await send(tokenRequest);
      expect(await receives('configure')).to.deep.equal({
        type: 'configure',
        locale: 'he',
        direction: 'rtl',
        scheme: 'dark',
        tokens: {},
        disabled: true,
        redirect: 'top',
        button: false,
        billing: { first_name: 'Ada' },
      });
    });

    it('when a framework sets billing entries to undefined', async () => {
      const { element, send, receives } = await payForm();
      await send(tokenRequest);
      const billing: Record<string, string | undefined> = { first_name: 'Ada', state: undefined };
      element.billing = billing;
      expect((await receives('configure', 1)).billing).to.have.all.keys('first_name');
    });

    it('when a framework wraps billing in a proxy', async () => {
      const { element, send, receives } = await payForm();
      await send(tokenRequest);
      element.billing = new Proxy({ city: 'Bath' }, {});
      expect((await receives('configure', 1)).billing).to.deep.equal({ city: 'Bath' });
    });

    it('again after each change, and only then', async () => {
      const { element, fakeFrame, send, receives } = await payForm();
      await send(tokenRequest);
      await receives('configure');
      const changes: [change: () => void, configuration: object][] = [
        [() => element.setAttribute('locale', 'de'), { locale: 'de' }],
        [() => (element.theme = 'dark'), { scheme: 'dark' }],
        [() => (element.theme = 'light'), { scheme: 'light' }],
        [() => (element.dir = 'rtl'), { direction: 'rtl' }],
        [() => (element.disabled = true), { disabled: true }],
        [() => (element.disabled = false), { disabled: false }],
        [() => (element.noButton = true), { button: false }],
        [() => (element.redirect = 'top'), { redirect: 'top' }],
        [() => (element.billing = { city: 'Bath' }), { billing: { city: 'Bath' } }],
        [() => (element.billing = null), { billing: {} }],
      ];
      for (const [index, [change, events]] of changes.entries()) {
        change();
        change();
        expect(await receives('configure', index + 1)).to.deep.include(events);
      }
      await send();
      expect(fakeFrame.received).to.have.lengthOf(changes.length + 1);
    });

    it('with resolved values of the tokens that the page has set', async () => {
      const { element, send, receives } = await payForm();
      element.style.setProperty('--pay-form-accent', 'oklch(60% 0.15 30)');
      element.style.setProperty('--pay-form-gap', 'calc(1em + 4px)');
      element.style.setProperty('--pay-form-font-family', 'Georgia, serif');
      await send(tokenRequest);
      const { tokens } = await receives('configure');
      expect(tokens).to.deep.equal({ accent: 'oklch(0.6 0.15 30)', gap: '20px', 'font-family': 'Georgia, serif' });
    });

    it('without intermediate values of a transition', async () => {
      const { element, send, receives } = await payForm();
      element.style.setProperty('--pay-form-accent', 'rgb(200, 200, 200)');
      await send(tokenRequest);
      await receives('configure');
      element.style.setProperty('--pay-form-accent', 'rgb(1, 2, 3)');
      element.style.setProperty('--pay-form-font-family', 'Georgia');
      element.locale = 'de';
      const { locale, tokens } = await receives('configure', 1);
      expect(locale).to.equal('de');
      expect(tokens).to.deep.equal({ accent: 'rgb(1, 2, 3)', 'font-family': 'Georgia' });
    });

    it('when a style rule changes a token', async () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.shop { --pay-form-accent: rgb(1, 2, 3) } .shop.night { --pay-form-accent: rgb(4, 5, 6) }');
      document.adoptedStyleSheets = [sheet];
      const shop = document.createElement('div');
      shop.className = 'shop';
      document.body.append(shop);
      const { send, receives } = await payForm({}, shop);
      await send(tokenRequest);
      expect((await receives('configure')).tokens).to.deep.equal({ accent: 'rgb(1, 2, 3)' });
      shop.classList.add('night');
      expect((await receives('configure', 1)).tokens).to.deep.equal({ accent: 'rgb(4, 5, 6)' });
      sheet.replaceSync('');
      expect((await receives('configure', 2)).tokens).to.deep.equal({});
      document.adoptedStyleSheets = [];
    });

    it('when the color scheme changes', async () => {
      const { send, receives } = await payForm();
      await send(tokenRequest);
      expect((await receives('configure')).scheme).to.equal('light');
      document.documentElement.style.colorScheme = 'dark';
      expect((await receives('configure', 1)).scheme).to.equal('dark');
      document.documentElement.style.colorScheme = '';
      expect((await receives('configure', 2)).scheme).to.equal('light');
    });
  });

  describe('resolves submit()', () => {
    const endings = ['pay-success', 'pay-pending', 'pay-decline', 'pay-cancel', 'pay-error'];

    it('with the event that ends the payment', async () => {
      const { element, send, receives, fakeFrame } = await payForm();
      await fc.assert(
        fc.asyncProperty(
          fc.array(eventMessages.filter(({ type }) => !endings.includes(type) && type !== 'pay-submit')),
          eventMessages.filter(({ type }) => endings.includes(type)),
          async (before, { type, ...detail }) => {
            const receivedCount = fakeFrame.received.length;
            let end: CustomEvent<unknown> | null = null;
            const ended = element.submit();
            void ended.then((event) => (end = event));
            expect(await receives('submit', receivedCount)).to.deep.equal({ type: 'submit' });
            await send(...before);
            expect(end).to.equal(null);
            await send({ type, ...detail });
            const event = await ended;
            expect(event.type).to.equal(type);
            expect(event.detail).to.deep.equal(detail);
          },
        ),
        { numRuns: 40 },
      );
    });

    it('for all callers', async () => {
      const { element, send } = await payForm();
      const ends = [element.submit(), element.submit()];
      await send(success);
      expect((await Promise.all(ends)).map(({ type }) => type)).to.deep.equal(['pay-success', 'pay-success']);
    });

    it('when the frame connects later', async () => {
      const element = document.createElement('pay-form');
      element.src = FAKE_FRAME_URL;
      document.body.append(element);
      const events: string[] = [];
      element.addEventListener('pay-error', () => events.push('error'));
      const end = element.submit();
      const { send, receives, fakeFrame } = await connectFakeFrame(element);
      await receives('submit');
      await send(success);
      expect((await end).type).to.equal('pay-success');
      expect(fakeFrame.received.filter(({ type }) => type === 'submit')).to.have.lengthOf(1);
      expect(events).to.deep.equal([]);
    });

    it('when the frame reloads: the new document reports the outcome', async () => {
      const { element, fakeFrame, receives } = await payForm();
      const end = element.submit();
      await receives('submit');
      const reconnected = connectFakeFrame(element);
      fakeFrame.location.reload();
      const { send, receives: receivesAgain } = await reconnected;
      await receivesAgain('submit');
      await send({ type: 'pay-pending', reference: 'order-1' });
      expect((await end).type).to.equal('pay-pending');
    });

    for (const [what, change] of Object.entries({
      'the element is removed': (element: HTMLElement) => element.remove(),
      'the payment is replaced': (element: HTMLElement) => element.setAttribute('src', `${FAKE_FRAME_URL}?other`),
    })) {
      it(`with an error when ${what}`, async () => {
        const { element, events } = await payForm();
        const end = element.submit();
        change(element);
        const { type, detail } = await end;
        expect([type, (detail as { code?: string }).code]).to.deep.equal(['pay-error', 'frame_unreachable']);
        expect(events.map((event) => event.type)).to.deep.equal(['pay-error']);
      });
    }

    it('with an error without a frame', async () => {
      const element = document.createElement('pay-form');
      document.body.append(element);
      const { type, detail } = await element.submit();
      expect([type, detail]).to.deep.equal([
        'pay-error',
        {
          code: 'frame_unreachable',
          message: "We couldn't load the payment form.",
          retryable: true,
          reference: null,
        },
      ]);
    });
  });

  describe('fires pay-submit before a card is submitted', () => {
    const ask = { type: 'pay-submit', trigger: 'buyer' };

    it('and allows the payment by default', async () => {
      const { send, receives } = await payForm();
      await send(ask);
      expect(await receives('permission')).to.deep.equal({ type: 'permission', granted: true });
    });

    it('and stops if the page prevents it', async () => {
      const { element, send, receives } = await payForm();
      element.addEventListener('pay-submit', (event) => event.preventDefault());
      await send(ask);
      expect(await receives('permission')).to.deep.equal({ type: 'permission', granted: false });
    });

    it('and waits for all promises of the page', async () => {
      const { element, fakeFrame, send, receives } = await payForm();
      const done: (() => void)[] = [];
      element.addEventListener('pay-submit', ({ detail }) => {
        detail.waitUntil(new Promise<void>((resolve) => done.push(resolve)));
        detail.waitUntil(new Promise<void>((resolve) => done.push(resolve)));
      });
      await send(ask);
      done[0]?.();
      await send();
      expect(fakeFrame.received).to.deep.equal([]);
      done[1]?.();
      expect(await receives('permission')).to.deep.equal({ type: 'permission', granted: true });
    });
  });

  it('never applies a decision to a different payment', async () => {
    const { element, send } = await payForm();
    const done: (() => void)[] = [];
    element.addEventListener('pay-submit', ({ detail }) => {
      detail.waitUntil(new Promise<void>((resolve) => done.push(resolve)));
    });
    await send({ type: 'pay-submit', trigger: 'buyer' });
    element.src = `${FAKE_FRAME_URL}?other`;
    const other = await connectFakeFrame(element);
    await other.send({ type: 'pay-submit', trigger: 'buyer' });
    done[0]?.();
    await other.send();
    expect(other.fakeFrame.received).to.deep.equal([]);
    done[1]?.();
    expect(await other.receives('permission')).to.deep.equal({ type: 'permission', granted: true });
  });

  it('accepts references with 64 characters of any script', async () => {
    const { events, send } = await payForm();
    const reference = '𒀀'.repeat(64);
    await send({ type: 'pay-success', reference });
    expect(events.map(({ detail }) => detail)).to.deep.equal([{ reference }]);
  });

  it('does not resolve an invalid length against the page width', async () => {
    const { element, send, receives } = await payForm();
    element.style.setProperty('--pay-form-gap', '4');
    await send(tokenRequest);
    expect((await receives('configure')).tokens).to.deep.equal({ gap: 'normal' });
  });

  it('reports changes that happened while hidden', async () => {
    const { element, send, receives } = await payForm();
    await send(tokenRequest);
    await receives('configure');
    element.hidden = true;
    element.style.setProperty('--pay-form-accent', 'rgb(1, 2, 3)');
    element.hidden = false;
    await send({ type: 'height', height: 500 });
    expect((await receives('configure', 1)).tokens).to.deep.equal({ accent: 'rgb(1, 2, 3)' });
  });

  describe('in a form', () => {
    async function payFormInForm(attributes: Record<string, string> = {}) {
      const form = document.createElement('form');
      const submitted: (string | null)[] = [];
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        submitted.push((event.submitter as HTMLButtonElement | null)?.value ?? null);
      });
      const fieldset = document.createElement('fieldset');
      const button = document.createElement('button');
      button.value = 'buy';
      form.append(fieldset, button);
      document.body.append(form);
      return { form, fieldset, button, submitted, ...(await payForm({ name: 'payment', ...attributes }, fieldset)) };
    }

    it('blocks submission while incomplete, and shows the errors', async () => {
      const { button, submitted, fakeFrame, receives } = await payFormInForm();
      button.click();
      expect(submitted).to.deep.equal([]);
      await receives('report');
      expect(fakeFrame.received).to.deep.equal([{ type: 'report' }]);
    });

    it('shows nothing on checkValidity()', async () => {
      const { form, fakeFrame, send } = await payFormInForm();
      expect(form.checkValidity()).to.equal(false);
      await send();
      expect(fakeFrame.received).to.deep.equal([]);
    });

    it('ignores buttons with formnovalidate', async () => {
      const { button, submitted, send, fakeFrame } = await payFormInForm();
      button.formNoValidate = true;
      button.click();
      expect(submitted).to.deep.equal(['buy']);
      await send(complete);
      button.click();
      expect(submitted).to.deep.equal(['buy', 'buy']);
      expect(fakeFrame.received).to.deep.equal([]);
    });

    it('submits even if the page has replaced its button', async () => {
      const { form, button, submitted, send } = await payFormInForm();
      await send(complete);
      button.click();
      button.remove();
      form.append(document.createElement('button'));
      await send(success);
      expect(submitted).to.deep.equal([null]);
    });

    it('submits once if the page submits too', async () => {
      const { form, element, button, submitted, send } = await payFormInForm();
      element.addEventListener('pay-success', () => form.requestSubmit());
      await send(complete);
      button.click();
      await send(success);
      expect(submitted).to.deep.equal([null]);
    });

    it('is not bypassed by disabling it during a payment', async () => {
      const { element, button, submitted, send, receives } = await payFormInForm();
      await send(complete);
      button.click();
      await receives('submit');
      element.disabled = true;
      button.click();
      expect(submitted).to.deep.equal([]);
      await send(success);
      expect(submitted).to.deep.equal(['buy']);
    });

    it('pays first, then submits once with the same button', async () => {
      const { form, button, submitted, send, receives, element } = await payFormInForm();
      await send({ type: 'pay-ready', reference: 'order-1' }, complete);
      expect(element.checkValidity()).to.equal(true);
      button.click();
      await receives('submit');
      expect(submitted).to.deep.equal([]);
      await send(success);
      expect(submitted).to.deep.equal(['buy']);
      await send(success);
      expect(submitted).to.deep.equal(['buy']);
      expect(form.checkValidity()).to.equal(true);
    });

    it('has the reference as its value', async () => {
      const { form, send } = await payFormInForm();
      expect([...new FormData(form)]).to.deep.equal([]);
      const reference = 'order-1';
      await send();
      await send({ type: 'pay-ready', reference });
      // The last message also carries a reference.
      expect([...new FormData(form)].map(([name]) => name)).to.deep.equal(['payment']);
    });

    for (const end of [
      { type: 'pay-decline', reference: 'a', code: 'c', advice: 'a', retryable: true, attemptsLeft: 4 },
      { type: 'pay-cancel', reference: 'a', reason: 'challenge' },
      { type: 'pay-error', code: 'c', message: 'm', retryable: true, reference: null },
    ]) {
      it(`does not submit after ${end.type}, even if it is paid later`, async () => {
        const { button, submitted, send } = await payFormInForm();
        await send(complete);
        button.click();
        await send(end, success);
        expect(submitted).to.deep.equal([]);
      });
    }

    it('submits when a pending payment succeeds', async () => {
      const { button, submitted, send } = await payFormInForm();
      await send(complete);
      button.click();
      await send({ type: 'pay-pending', reference: 'a' });
      expect(submitted).to.deep.equal([]);
      await send(success);
      expect(submitted).to.deep.equal(['buy']);
    });

    it('does not block the form while disabled', async () => {
      const { button, submitted, fieldset, element, receives, send } = await payFormInForm();
      await send(tokenRequest);
      fieldset.disabled = true;
      expect((await receives('configure', 1)).disabled).to.equal(true);
      expect(element.checkValidity()).to.equal(true);
      button.click();
      expect(submitted).to.deep.equal(['buy']);
    });

    it('resets with the form', async () => {
      const { form, receives } = await payFormInForm();
      form.reset();
      await receives('reset');
    });

    it('checks validity silently, and reports it visibly', async () => {
      const { element, fakeFrame, receives, send } = await payFormInForm();
      let invalid = 0;
      element.addEventListener('invalid', () => invalid++);
      expect(element.checkValidity()).to.equal(false);
      await send();
      expect([invalid, fakeFrame.received]).to.deep.equal([0, []]);
      expect(element.reportValidity()).to.equal(false);
      await receives('report');
      expect(invalid).to.equal(1);
    });

    it('detaches from a form that it has left', async () => {
      const { form, element, submitted, button } = await payFormInForm();
      element.remove();
      button.click();
      expect(submitted).to.deep.equal(['buy']);
      expect(element.form).to.equal(null);
      form.append(element);
      expect(element.form).to.equal(form);
    });
  });

  it('adopts properties that were set before the upgrade', async () => {
    const upgraded = document.implementation.createHTMLDocument().createElement('pay-form');
    Object.assign(upgraded, { src: FAKE_FRAME_URL, locale: 'fr', disabled: true, billing: { city: 'Lyon' } });
    document.body.append(upgraded);
    const { send, receives } = await connectFakeFrame(upgraded);
    await send(tokenRequest);
    expect(await receives('configure')).to.deep.include({ locale: 'fr', disabled: true, billing: { city: 'Lyon' } });
    expect(upgraded.getAttribute('locale')).to.equal('fr');
  });

  it('reflects properties and attributes', () => {
    const element = document.createElement('pay-form');
    for (const property of ['src', 'locale', 'theme', 'name', 'redirect'] as const) {
      expect(element[property]).to.equal('');
      Object.assign(element, { [property]: 'a' });
      expect(element.getAttribute(property)).to.equal('a');
      element.setAttribute(property, 'b');
      expect(element[property]).to.equal('b');
      Object.assign(element, { [property]: null });
      expect(element.hasAttribute(property), property).to.equal(false);
    }
    for (const [property, attribute] of [
      ['disabled', 'disabled'],
      ['noButton', 'no-button'],
    ] as const) {
      expect(element[property]).to.equal(false);
      element[property] = true;
      expect(element.getAttribute(attribute)).to.equal('');
      element.removeAttribute(attribute);
      expect(element[property]).to.equal(false);
    }
  });

  it('reports an invalid `src` of an upgraded element once', () => {
    const early = document.implementation.createHTMLDocument().createElement('pay-form');
    early.setAttribute('src', 'http://');
    const events: unknown[] = [];
    early.addEventListener('pay-error', (event) => events.push(event.type));
    document.body.append(early);
    expect(events).to.deep.equal(['pay-error']);
    early.remove();
    document.body.append(early);
    expect(events).to.deep.equal(['pay-error', 'pay-error']);
  });

  for (const src of ['javascript:alert(1)', 'data:text/html,x', 'http://', 'https://:0', 'file:///etc/passwd']) {
    it(`shows an error with a retry button for ${src}`, () => {
      const element = document.createElement('pay-form');
      const events: unknown[] = [];
      element.addEventListener('pay-error', ({ detail }) => events.push(detail.code));
      element.src = src;
      document.body.append(element);
      expect(events).to.deep.equal(['frame_unreachable']);
      const alert = element.shadowRoot?.querySelector('[role=alert]');
      expect(alert?.textContent).to.equal("We couldn't load the payment form.Try again");
      expect(element.shadowRoot?.querySelector('iframe')).to.equal(null);
      alert?.querySelector('button')?.click();
      expect(events).to.deep.equal(['frame_unreachable', 'frame_unreachable']);
    });
  }
});

/** Removes `waitUntil`, a function that no message can carry. */
function plain(detail: unknown): unknown {
  return Object.fromEntries(Object.entries(detail as object).filter(([name]) => name !== 'waitUntil'));
}
