import { expect } from 'chai';
import { ExpiryCountdown } from '../../pages/checkout/elements/expiry-countdown.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';
import { SimulatedClock } from './simulated-clock.ts';

const MINUTE = 60_000;

async function countdown(deadlineMs: number) {
  const clock = new SimulatedClock();
  const element = new ExpiryCountdown();
  Object.assign(element, { i18n: new I18n(texts, 'en-US'), clock, deadlineMs });
  const events: string[] = [];
  element.addEventListener('announce', (event) => events.push((event as CustomEvent<string>).detail));
  element.addEventListener('countdown-over', () => events.push('over'));
  document.body.append(element);
  await element.updateComplete;
  const text = () => element.textContent?.replace(/\s+/g, ' ').trim();
  return { clock, element, events, text };
}

describe('the countdown', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows minutes in the last hour, then seconds', async () => {
    const { clock, text } = await countdown(61 * MINUTE);
    expect(text()).to.equal('');
    await clock.advance(MINUTE);
    expect(text()).to.equal('60 min left');
    await clock.advance(MINUTE);
    expect(text()).to.equal('59 min left');
    await clock.advance(49 * MINUTE + 19_000);
    expect(text()).to.equal('9:41 left');
    await clock.advance(9 * MINUTE);
    expect(text()).to.equal('0:41 left');
  });

  it('shows its label before the last hour too', async () => {
    const { clock, element, text } = await countdown(61 * MINUTE);
    element.label = 'Pay by noon';
    await element.updateComplete;
    expect(text()).to.equal('Pay by noon');
    await clock.advance(MINUTE);
    expect(text()).to.equal('Pay by noon60 min left');
  });

  it('updates once a minute while more than ten minutes are left', async () => {
    const { clock } = await countdown(120 * MINUTE);
    expect(clock.waiting).to.equal(1);
    await clock.advance(30_000);
    expect(clock.waiting).to.equal(1);
  });

  it('announces only ten, five and one minute', async () => {
    const { clock, events } = await countdown(12 * MINUTE);
    await clock.advance(11 * MINUTE + 59_000);
    expect(events).to.deep.equal(['10 minutes left to pay', '5 minutes left to pay', '1 minute left to pay']);
  });

  it('fires once at the deadline', async () => {
    const { clock, events, text } = await countdown(3000);
    await clock.advance(5000);
    expect(events).to.deep.equal(['over']);
    expect(text()).to.equal('Expired');
  });

  it('fires once, even if the server repeats a past deadline', async () => {
    const { clock, element, events } = await countdown(1000);
    await clock.advance(1000);
    for (const deadlineMs of [999, 950, 1000]) {
      element.deadlineMs = deadlineMs;
      await element.updateComplete;
    }
    expect(events).to.deep.equal(['over']);
  });

  it('catches up after sleep without announcing missed marks', async () => {
    const { clock, element, events, text } = await countdown(60 * MINUTE);
    clock.sleep(57 * MINUTE);
    document.dispatchEvent(new Event('visibilitychange'));
    await element.updateComplete;
    expect(text()).to.equal('3:00 left');
    expect(events).to.deep.equal(['3 minutes left to pay']);
  });

  it('fires again after an extended deadline', async () => {
    const { clock, element, events } = await countdown(1000);
    await clock.advance(1000);
    element.deadlineMs = 4000;
    await element.updateComplete;
    await clock.advance(4000);
    expect(events).to.deep.equal(['over', 'over']);
  });

  it('stops when it is removed', async () => {
    const { clock, element } = await countdown(60 * MINUTE);
    element.remove();
    expect(clock.waiting).to.equal(0);
  });
});
