import { expect } from 'chai';
import { BrandingPage } from '../../pages/account/branding/branding-page.ts';
import type { PreferenceKey } from '../../client/api.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accessibilityViolations,
  accountContext,
  button,
  horizontalOverflow,
  hostileTexts,
  problem,
  radio,
  resizePage,
  showPage,
  textOf,
  waitForPage,
} from './account-fixtures.ts';

function entry(key: string, change: Partial<PreferenceKey> = {}): PreferenceKey {
  return {
    ...{ key, meaning: '', type: 'url', default: null, manager_only: false, scope: 'preference:write' },
    ...{ value: null, pending: null, updated_at: null, updated_by: null, ...change },
  };
}

const keys: readonly PreferenceKey[] = [
  entry('brand-logo-url'),
  entry('brand-name', { type: 'text', max_length: 60, value: 'Kettle' }),
  entry('brand-color', { type: 'color', value: '#ffcc00' }),
  entry('support-contact', { type: 'contact', value: 'help@kettle.example' }),
  entry('terms-url', { value: 'https://kettle.example/terms' }),
  entry('privacy-url'),
  entry('link-lifetime-minutes', { type: 'integer', default: 1440 }),
];

const hash = 'ab'.repeat(32);
const logo = {
  url: `${location.origin}/logos/${hash}.png`,
  ...{ width: 64, height: 64, uploaded_at: '2026-03-10T11:00:00Z' },
};
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQj/cCAAFpAMkwulAvAAAAAElFTkSuQmCC';
const file = new File([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))], 'logo.png', { type: 'image/png' });

async function open(
  role: UserRole = 'owner',
  results: Parameters<typeof accountContext>[0] = {},
  shown: readonly PreferenceKey[] = keys,
) {
  const given = accountContext(
    {
      'GET /v1/merchant/preferences/keys': { body: { keys: shown } },
      'GET /v1/merchant/logo': { body: { logo: null } },
      'GET /v1/people': { body: { people: [] } },
      'GET /v1/tokens': { body: { tokens: [], next_cursor: null } },
      ...results,
    },
    role,
  );
  const page = await showPage(new BrandingPage(), given.context);
  return { page, ...given };
}

/** Drops a file on the logo, and waits until the browser has read it. */
async function drop(page: Element, dropped: File) {
  const transfer = new DataTransfer();
  transfer.items.add(dropped);
  const read = new Promise<void>((resolve) => {
    const settle = () => resolve();
    page.addEventListener('logo-change', settle, { once: true });
    // A refused file is not read.
    if (dropped.type !== 'image/png' || dropped.size > 1_000_000) settle();
  });
  const zone = page.querySelector('.logo-drop') as Element;
  zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  await read;
  await waitForPage(page);
}

const bar = (page: Element) => page.querySelector('.save-bar');
const shownLogo = (page: Element) => page.querySelector<HTMLImageElement>('.logo-image')?.getAttribute('src') ?? null;
const logoError = (page: Element) => textOf(page.querySelector('logo-field .field-error'));
const branding = (page: Element) => page.querySelector('page-preview')?.branding;
const save = async (page: Element) => {
  button(page, /^Save changes$/).click();
  await waitForPage(page);
};

describe('the branding page', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows only the settings of branding, and previews edits', async () => {
    const { page } = await open();
    const rows = [...page.querySelectorAll<HTMLElement>('.setting')].map(({ dataset }) => dataset['key']);
    expect(rows).to.deep.equal(['logo', ...keys.slice(0, 6).map(({ key }) => key)]);
    const expected = {
      ...{ name: 'Kettle', color: '#ffcc00', logo: null, contact: 'help@kettle.example' },
      ...{ terms: 'https://kettle.example/terms', privacy: null },
    };
    expect(branding(page)).to.deep.equal(expected);
    expect(page.querySelector('.logo-tiles'), 'the initial has the brand color in the preview only').to.equal(null);
    const name = page.querySelector('[data-key="brand-name"] wa-input');
    if (!name) throw new Error('There is no name');
    (name as HTMLInputElement).value = '';
    name.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const color = page.querySelector<HTMLInputElement>('.color-well');
    if (!color) throw new Error('There is no color');
    color.value = '#112233';
    color.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitForPage(page);
    expect(branding(page)).to.deep.equal({ ...expected, name: 'Kettle & Co', color: '#112233' });
    expect(textOf(bar(page))).to.contain('2 unsaved changes');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('uploads a dropped logo when it is saved', async () => {
    let stored: typeof logo | null = null;
    const { page, requests } = await open('owner', {
      'GET /v1/merchant/logo': () => ({ body: { logo: stored } }),
      'POST /v1/merchant/logo': () => ({ body: { logo: (stored = logo) } }),
    });
    await drop(page, file);
    expect(shownLogo(page)).to.equal(`data:image/png;base64,${png}`);
    expect(branding(page)?.logo).to.equal(shownLogo(page));
    expect(requests.filter(({ method }) => method === 'POST')).to.deep.equal([]);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await save(page);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ path, body }) => [path, body])).to.deep.equal([['/v1/merchant/logo', { image: png }]]);
    expect(shownLogo(page)).to.equal(`/logos/${hash}.png`);
    expect(bar(page)).to.equal(null);
  });

  it('removes the logo, and shows the one of the URL', async () => {
    const url = 'https://cdn.example/logo.png';
    const shown = keys.map((each) => (each.key === 'brand-logo-url' ? { ...each, value: url } : each));
    let stored: typeof logo | null = logo;
    const responses = {
      'GET /v1/merchant/logo': () => ({ body: { logo: stored } }),
      'POST /v1/merchant/logo/remove': () => ({ body: { logo: (stored = null) } }),
    };
    const { page } = await open('owner', responses, shown);
    expect(shownLogo(page)).to.equal(`/logos/${hash}.png`);
    button(page, /^Remove logo$/).click();
    await waitForPage(page);
    // The account area can't show images of other hosts; the preview can.
    expect(shownLogo(page)).to.equal(null);
    expect(page.querySelector('page-preview')?.branding.logo).to.equal(url);
    button(page, /^Discard$/).click();
    await waitForPage(page);
    expect(shownLogo(page)).to.equal(`/logos/${hash}.png`);
    button(page, /^Remove logo$/).click();
    await waitForPage(page);
    await save(page);
    expect(shownLogo(page)).to.equal(null);
    expect(button(page, /^Upload logo$/)).to.not.equal(null);
    expect(bar(page)).to.equal(null);
  });

  it('explains refused images, and keeps the change', async () => {
    const errors = [{ pointer: '/image', code: 'animated_image', detail: 'must not be animated' }];
    const refused = problem(422, 'validation_failed', { errors });
    const { page, announced } = await open('owner', { 'POST /v1/merchant/logo': refused });
    await drop(page, new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }));
    expect(logoError(page)).to.equal('Choose a PNG, JPEG, or WebP image. Export an SVG as PNG.');
    await drop(page, new File([new Uint8Array(1_000_001)], 'logo.png', { type: 'image/png' }));
    expect(logoError(page)).to.equal('Choose an image of at most 1 MB.');
    expect(bar(page)).to.equal(null);
    await drop(page, file);
    expect(logoError(page)).to.equal('');
    await save(page);
    expect(logoError(page)).to.equal('Choose an image without animation.');
    expect(announced).to.deep.equal(['Changes not saved. Correct the highlighted fields.']);
    expect(textOf(bar(page))).to.contain('1 unsaved change');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('is read-only without the scope', async () => {
    const { page } = await open('viewer', { 'GET /v1/merchant/logo': { body: { logo } } });
    expect(page.textContent).to.contain('You have view-only access.');
    expect(page.querySelector('logo-field wa-button, logo-field input')).to.equal(null);
    await drop(page, new File(['x'], 'x.txt', { type: 'text/plain' }));
    expect(logoError(page)).to.equal('');
    const inputs = [...page.querySelectorAll('.setting :is(wa-input, input)')];
    expect(inputs).to.have.length(7);
    expect(inputs.every((input) => input.matches('[readonly], :disabled'))).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('sizes the preview to its container', async () => {
    const { page } = await open();
    const screen = page.querySelector<HTMLElement>('.preview-screen');
    if (!screen) throw new Error('There is no preview');
    const radios = page.querySelector('page-preview');
    if (!radios) throw new Error('There are no choices');
    expect(screen.clientWidth).to.be.at.most(screen.parentElement?.clientWidth ?? 0);
    radio(radios, /Phone/).click();
    await waitForPage(page);
    expect(screen.dataset['device']).to.equal('phone');
    expect(screen.clientHeight / screen.clientWidth, 'a screen with the button that pays').to.be.closeTo(
      820 / 390,
      0.02,
    );
    expect(page.querySelector('iframe')?.getAttribute('sandbox')).to.equal('allow-same-origin');
    expect(horizontalOverflow()).to.equal(0);
  });

  it('previews a phone in narrow space until the user chooses, and leads to the preview from the top', async () => {
    const { page } = await open();
    const device = () => page.querySelector<HTMLElement>('.preview-screen')?.dataset['device'];
    await resizePage(page, '1000px');
    expect(device()).to.equal('desktop');
    await resizePage(page, '328px');
    expect(device()).to.equal('phone');
    radio(page.querySelector('page-preview') ?? page, /Desktop/).click();
    await waitForPage(page);
    expect(device()).to.equal('desktop');
    const toPreview = page.querySelector<HTMLElement>('.page-head .to-preview');
    if (!toPreview) throw new Error('There is no button');
    expect(getComputedStyle(toPreview).display).to.equal(innerWidth < 1200 ? 'block' : 'none');
    toPreview.click();
    expect(page.querySelector('page-preview')?.getBoundingClientRect().top).to.be.at.most(innerHeight / 2);
  });

  it('shows third-party content as text', async () => {
    const changed = { updated_at: '2026-03-10T11:00:00Z', updated_by: hostileTexts[0] ?? '' };
    const shown = keys.map((each, index) =>
      index < 6 ? { ...each, ...changed, value: hostileTexts[index % hostileTexts.length] ?? null } : each,
    );
    const { page } = await open('owner', {}, shown);
    expect(textOf(page.querySelector('[data-key=brand-name]'))).to.contain(hostileTexts[0]);
    expect(page.querySelector('img[onerror]')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
  });
});
