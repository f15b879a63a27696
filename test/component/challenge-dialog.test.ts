import { expect } from 'chai';
import { ChallengeDialog } from '../../pages/checkout/embed/challenge-dialog.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';
import { FAKE_FRAME_URL } from './fake-frame.ts';

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
  });

  it('is as wide as the form, and so is the issuer’s page', async () => {
    const style = document.createElement('link');
    Object.assign(style, { rel: 'stylesheet', href: '/pages/checkout/frame/card-frame.css' });
    document.head.append(style);
    await new Promise((resolve) => style.addEventListener('load', resolve));
    const { challenge, dialog } = await showDialog();
    const frame = challenge.querySelector('iframe');
    expect(dialog.offsetWidth).to.equal(document.documentElement.clientWidth);
    expect([frame?.offsetWidth, frame?.offsetHeight]).to.deep.equal([dialog.clientWidth, 600]);
    const [title, button] = ['h2', 'button'].map((name) => dialog.querySelector(name)?.getBoundingClientRect());
    expect((button?.left ?? 0) - (title?.right ?? 0)).to.be.at.least(16);
    style.remove();
  });

  it('is a named modal dialog and reserves its height', async () => {
    const { dialog } = await showDialog();
    expect(dialog.matches(':modal')).to.equal(true);
    const title = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '');
    expect(title?.textContent).to.equal('Confirm with your bank');
    expect(document.body.offsetHeight).to.be.at.least(dialog.offsetHeight);
  });

  it('sandboxes the issuer’s page without top-level navigation; pop-ups and the bank’s app can open', async () => {
    const { challenge } = await showDialog();
    const frame = challenge.querySelector('iframe');
    expect([...(frame?.sandbox ?? [])].toSorted()).to.deep.equal([
      'allow-forms',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
    ]);
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
