import { expect } from 'chai';
import { CommandPalette, type Command } from '../../pages/account/command-palette.ts';
import {
  accountI18n,
  accessibilityViolations,
  hostileTexts,
  waitForPage,
  horizontalOverflow,
  textOf,
  loadStyles,
} from './account-fixtures.ts';

async function openPalette(commands: readonly Command[], change: Partial<CommandPalette> = {}) {
  const palette = new CommandPalette();
  Object.assign(palette, { i18n: accountI18n, commands, ...change });
  await loadStyles();
  document.body.append(palette);
  await palette.updateComplete;
  palette.open();
  await waitForPage(palette);
  const input = palette.querySelector('input');
  if (!input) throw new Error('The palette has no field');
  const press = async (key: string) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await palette.updateComplete;
  };
  const type = async (text: string) => {
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await palette.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    await palette.updateComplete;
  };
  const options = () => [...palette.querySelectorAll('[role=option]')].map(textOf);
  const chosen = () => textOf(palette.querySelector('[aria-selected=true]'));
  return { palette, input, press, type, options, chosen };
}

function commandsOf(ran: string[], labels: readonly string[]): Command[] {
  return labels.map((label, index) => ({
    id: `command-${index}`,
    label,
    group: 'Pages',
    icon: 'list',
    run: () => void ran.push(label),
  }));
}

describe('the command palette', () => {
  afterEach(() => document.body.replaceChildren());

  it('is a combobox: the field keeps the focus, arrows select, Enter runs the command and closes', async () => {
    const ran: string[] = [];
    const { palette, input, press, chosen } = await openPalette(commandsOf(ran, ['Overview', 'Team', 'Settings']));
    expect(document.activeElement === input).to.equal(true);
    expect(chosen()).to.equal('Overview');
    await press('ArrowDown');
    expect(chosen()).to.equal('Team');
    expect(input.getAttribute('aria-activedescendant')).to.equal(
      palette.querySelector('[aria-selected=true]')?.id ?? '(none)',
    );
    await press('ArrowUp');
    await press('ArrowUp');
    expect(chosen(), 'goes round').to.equal('Settings');
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Settings']);
    expect(palette.isOpen).to.equal(false);
  });

  it('matches any part, ignores accents and case, and announces no results', async () => {
    const { palette, type, options } = await openPalette(commandsOf([], ['Configuración', 'Team']));
    await type('CION');
    expect(options()).to.deep.equal(['Configuración']);
    await type('zzz');
    expect(options()).to.deep.equal([]);
    expect(textOf(palette.querySelector('[role=status]'))).to.match(/^No results/);
  });

  it('offers commands derived from the query and fetched ones', async () => {
    const ran: string[] = [];
    const { palette, type, options, press } = await openPalette(commandsOf([], ['Team']), {
      deriveCommands: (typed) =>
        commandsOf(ran, typed === '' ? [] : [`Open ${typed}`]).map((each) => ({ ...each, id: 'more' })),
      searchCommands: async (typed) =>
        await Promise.resolve(commandsOf(ran, [`Found ${typed}`]).map((each) => ({ ...each, id: 'found' }))),
    });
    await type('order-1');
    expect(options()).to.deep.equal(['Found order-1', 'Open order-1']);
    await press('ArrowDown');
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Open order-1']);
  });

  it('is accessible', async () => {
    await openPalette(commandsOf([], ['Overview', 'Team']));
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows hostile names as text', async () => {
    const { options } = await openPalette(commandsOf([], hostileTexts));
    expect(options()).to.deep.equal(hostileTexts.map((text) => text.trim()));
    expect(horizontalOverflow()).to.be.at.most(0);
    expect(Object.hasOwn(window, 'hostileTextRan')).to.equal(false);
  });
});
