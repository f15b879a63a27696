import { expect } from 'chai';
import { ChallengeDialog } from '../../pages/checkout/embed/challenge-dialog.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';
import { FAKE_FRAME_URL } from './fake-frame.ts';

/** Sets the width of the frame that contains the dialog. */
function setWidth(width: number) {
  Object.defineProperty(document.documentElement, 'clientWidth', { value: width, configurable: true });
}

async function showDialog(): Promise<{ challenge: ChallengeDialog; dialog: HTMLDialogElement; events: string[] }> {
  const challenge = new ChallengeDialog();
  challenge.i18n = new I18n(texts, 'en-US');
  const events: string[] = [];
  for (const type of ['challenge-load', 'challenge-close']) challenge.addEventListener(type, () => events.push(type));
  document.body.append(challenge);
  challenge.show(FAKE_FRAME_URL);
  await challenge.updateComplete;
  const dialog = challenge.querySelector('dialog');
  const frame = challenge.querySelector('iframe');
  if (!dialog || !frame) throw new Error('The dialog is missing');
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return { challenge, dialog, events };
}

describe('the challenge dialog', () => {
  afterEach(() => {
    document.body.replaceChildren();
    document.body.removeAttribute('style');
    Reflect.deleteProperty(document.documentElement, 'clientWidth');
  });

  // EMV 3-D Secure, challengeWindowSize: 03 is 500 by 600, 02 is 390 by 400, 05 is the available space.
  const sizes: [width: number, window: [width: string, height: string]][] = [
    [1280, ['500', '600']],
    [502, ['500', '600']],
    [501, ['390', '400']],
    [392, ['390', '400']],
    [391, ['100%', '600']],
    [320, ['100%', '600']],
  ];
  for (const [width, size] of sizes) {
    it(`uses a standard window size at ${width} pixels: ${size.join(' by ')}`, async () => {
      setWidth(width);
      const { challenge } = await showDialog();
      const frame = challenge.querySelector('iframe');
      expect([frame?.getAttribute('width'), frame?.getAttribute('height')]).to.deep.equal(size);
    });
  }

  it('is a named modal dialog and reserves its height', async () => {
    const { dialog } = await showDialog();
    expect(dialog.matches(':modal')).to.equal(true);
    const title = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '');
    expect(title?.textContent).to.equal('Confirm with your bank');
    expect(document.body.offsetHeight).to.be.at.least(dialog.offsetHeight);
  });

  it('sandboxes the issuer’s page without top-level navigation', async () => {
    const { challenge } = await showDialog();
    const frame = challenge.querySelector('iframe');
    expect([...(frame?.sandbox ?? [])].toSorted()).to.deep.equal(['allow-forms', 'allow-same-origin', 'allow-scripts']);
    expect(frame?.title).to.equal("Your bank's confirmation");
  });

  it('reports each loaded page and stays open until it is closed', async () => {
    const { challenge, dialog, events } = await showDialog();
    expect(events).to.deep.equal(['challenge-load']);
    const frame = challenge.querySelector('iframe');
    frame?.contentWindow?.location.reload();
    await new Promise((resolve) => frame?.addEventListener('load', resolve, { once: true }));
    expect(events).to.deep.equal(['challenge-load', 'challenge-load']);
    expect(dialog.open).to.equal(true);
  });

  it('reports its button and Escape, and stays open until it is closed', async () => {
    const { dialog, events } = await showDialog();
    dialog.querySelector('button')?.click();
    const escape = new Event('cancel', { cancelable: true });
    dialog.dispatchEvent(escape);
    expect(events).to.deep.equal(['challenge-load', 'challenge-close', 'challenge-close']);
    expect(escape.defaultPrevented).to.equal(true);
    expect(dialog.open).to.equal(true);
  });

  it('cleans up and can be shown again', async () => {
    const { challenge } = await showDialog();
    challenge.close();
    await challenge.updateComplete;
    expect(challenge.childElementCount).to.equal(0);
    expect(document.body.style.minBlockSize).to.equal('');
    challenge.show(FAKE_FRAME_URL);
    await challenge.updateComplete;
    await challenge.updateComplete;
    expect(challenge.querySelector('dialog')?.open).to.equal(true);
  });
});
