import { expect } from 'chai';
import { PromptDialog } from '../../pages/account/shell/prompt-dialog.ts';
import { accountI18n, button, waitForPage, textOf } from './account-fixtures.ts';

const question = (heading: string) => ({ heading, confirm: 'Go on' });

describe('a prompt', () => {
  afterEach(() => document.body.replaceChildren());

  async function open() {
    const dialog = Object.assign(new PromptDialog(), { i18n: accountI18n });
    document.body.append(dialog);
    await waitForPage(dialog);
    return dialog;
  }

  it('opened directly after another one waits for its own result', async () => {
    const dialog = await open();
    const result = (async () => {
      await dialog.open(question('First?'));
      return await dialog.open(question('Second?'));
    })();
    await waitForPage(dialog);
    button(dialog, /^Go on$/).click();
    await waitForPage(dialog);
    expect(textOf(dialog.querySelector('h2'))).to.equal('Second?');
    button(dialog, /^Go on$/).click();
    expect(await result).to.be.instanceOf(FormData);
    expect(dialog.querySelector('wa-dialog')?.open).to.equal(false);
  });

  it('is not replaced by another prompt while it is open', async () => {
    const dialog = await open();
    const first = dialog.open(question('First?'));
    await waitForPage(dialog);
    expect(await dialog.open(question('Second?'))).to.equal(null);
    await waitForPage(dialog);
    expect(textOf(dialog.querySelector('h2'))).to.equal('First?');
    button(dialog, /^Go on$/).click();
    expect(await first).to.be.instanceOf(FormData);
  });

  it('resolves to null when it is closed', async () => {
    const dialog = await open();
    const result = dialog.open(question('First?'));
    await waitForPage(dialog);
    button(dialog, /^Cancel$/).click();
    expect(await result).to.equal(null);
    await waitForPage(dialog);
    expect(textOf(dialog)).to.equal('');
  });
});
