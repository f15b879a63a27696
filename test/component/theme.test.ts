import { expect } from 'chai';
import fc from 'fast-check';
import { contrastOf, type Rgb } from '../../pages/checkout/elements/contrast.ts';
import { applyTheme, tokensByProperty } from '../../pages/checkout/embed/theme.ts';
import { type ThemeToken, themeTokens } from '../../src/shared/frame/theme.ts';
import type { ThemeTokens } from '../../src/shared/frame/to-frame.ts';

describe('the contrast of two colors', () => {
  const white: Rgb = [255, 255, 255];
  const black: Rgb = [0, 0, 0];
  const known: [a: Rgb, b: Rgb, ratio: number][] = [
    [white, black, 21],
    [white, white, 1],
    [[0x77, 0x77, 0x77], white, 4.48],
    [[0x76, 0x76, 0x76], white, 4.54],
    [[0, 0, 255], white, 8.59],
    [[255, 0, 0], white, 4.0],
    [[255, 255, 0], black, 19.56],
    [[0x40, 0x40, 0x40], white, 10.37],
    // Below the threshold of the sRGB curve.
    [[10, 10, 10], black, 1.06],
  ];
  for (const [a, b, ratio] of known) {
    it(`${a.join(' ')} and ${b.join(' ')}: ${ratio}, in either order`, () => {
      expect(contrastOf(a, b)).to.be.closeTo(ratio, 0.005);
      expect(contrastOf(b, a)).to.equal(contrastOf(a, b));
    });
  }
});

/** Style sheet variables of text and its background. */
const pairs = [
  ['--ink', '--ground'],
  ['--ink-2', '--ground'],
  ['--bad', '--ground'],
  ['--field-ink', '--paper'],
  ['--placeholder', '--paper'],
  ['--on-accent', '--accent'],
  // The hovered button must be readable too.
  ['--on-accent', '--accent-strong'],
] as const;

describe('the merchant’s theme', () => {
  const root = document.documentElement;
  let warnings: string[] = [];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  before(async () => {
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = '/pages/checkout/elements/tokens.css';
    const isLoaded = new Promise((resolve) => style.addEventListener('load', resolve));
    document.head.append(style);
    await isLoaded;
  });
  beforeEach(() => {
    warnings = [];
  });
  afterEach(() => {
    root.removeAttribute('style');
    delete root.dataset['scheme'];
    root.style.colorScheme = '';
  });
  after(() => document.head.querySelector('link')?.remove());

  function apply(tokens: ThemeTokens, scheme: 'light' | 'dark' = 'light') {
    root.style.colorScheme = scheme;
    warnings.push(...applyTheme(root, { scheme, tokens }));
  }

  /** The displayed color of layered variables over white. */
  function displayed(...variables: string[]): Rgb {
    if (!canvas) throw new Error('The canvas is missing');
    for (const variable of ['--white', ...variables]) {
      canvas.fillStyle = valueOf(variable);
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  }

  function valueOf(variable: string): string {
    const probe = document.createElement('p');
    probe.style.backgroundColor = `var(${variable})`;
    document.body.append(probe);
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  }

  it('requests every token by the property that resolves it', () => {
    expect(tokensByProperty).to.deep.equal(themeTokens);
  });

  it('is applied if readable, in any color notation', () => {
    apply({ accent: 'oklch(0.45 0.1 250)', 'accent-text': 'rgb(255 255 255)', text: '#222', background: 'white' });
    expect(displayed('--ink')).to.deep.equal([0x22, 0x22, 0x22]);
    expect(displayed('--ground')).to.deep.equal([255, 255, 255]);
    expect(displayed('--on-accent')).to.deep.equal([255, 255, 255]);
    expect(root.style.getPropertyValue('--accent')).to.equal('oklch(0.45 0.1 250)');
    expect(warnings).to.deep.equal([]);
  });

  it('falls back to both default colors if unreadable, with a warning', () => {
    const [accent, text] = [displayed('--accent'), displayed('--on-accent')];
    apply({ accent: '#ffd400', 'accent-text': '#fff', text: '#111' });
    expect([displayed('--accent'), displayed('--on-accent')]).to.deep.equal([accent, text]);
    expect(displayed('--ink')).to.deep.equal([0x11, 0x11, 0x11]);
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.match(/--pay-form-accent-text on --pay-form-accent .*1\.4\d.*4\.5/);
  });

  it('needs a contrast of exactly 4.5', () => {
    apply({ text: '#767676', background: '#fff' });
    expect(warnings).to.deep.equal([]);
    apply({ text: '#777', background: '#fff' });
    expect(warnings).to.have.lengthOf(1);
  });

  it('checks a single color against the defaults of the current scheme', () => {
    apply({ error: '#ffb4ab' }, 'dark');
    expect(warnings).to.deep.equal([]);
    apply({ error: '#ffb4ab' }, 'light');
    expect(warnings).to.have.lengthOf(1);
  });

  it('checks field text against the field background', () => {
    const [ink, paper] = [displayed('--field-ink'), displayed('--paper')];
    apply({ text: '#fff', background: '#000', 'text-muted': '#ccc', error: '#f99' });
    expect([displayed('--ink'), displayed('--field-ink'), displayed('--paper')]).to.deep.equal([
      [255, 255, 255],
      ink,
      paper,
    ]);
  });

  it('cannot change the page’s background, so only text colors change', () => {
    apply({ text: '#333', 'text-muted': '#333', error: '#333', background: '#000' });
    expect(displayed('--ground')).to.deep.equal([0, 0, 0]);
    for (const text of ['--ink', '--ink-2', '--bad']) expect(displayed(text), text).to.deep.equal([255, 255, 255]);
  });

  it('is checked as displayed, with transparency', () => {
    apply({ text: 'rgb(0 0 0 / 0.3)', background: '#fff' });
    expect(warnings).to.have.lengthOf(1);
    expect(displayed('--ground', '--ink')).to.deep.equal([0x1b, 0x1c, 0x1a]);
    apply({ 'field-background': 'transparent', background: '#fff', 'field-text': '#222', placeholder: '#555' });
    expect(warnings).to.have.lengthOf(1);
    expect(valueOf('--paper')).to.equal('rgba(0, 0, 0, 0)');
    apply({ background: 'rgb(255 255 255 / 0.5)' }, 'dark');
    expect(warnings.length).to.be.greaterThan(1);
  });

  it('uses default lengths for invalid values', () => {
    apply({ gap: '20px', radius: '0px', 'font-size': 'normal', 'field-height': '50%', 'border-width': '1.5e-2px' });
    const styleOf = (variable: string) => root.style.getPropertyValue(variable);
    expect([styleOf('--gap'), styleOf('--radius-small'), styleOf('--border-width')]).to.deep.equal([
      '20px',
      '0px',
      '1.5e-2px',
    ]);
    expect([styleOf('--font-size'), styleOf('--field-height')]).to.deep.equal(['', '']);
    expect(warnings.map((warning) => warning.match(/--pay-form-[\w-]+/)?.[0])).to.have.members([
      '--pay-form-font-size',
      '--pay-form-field-height',
    ]);
  });

  it('is removed when the page removes it', () => {
    const before = pairs.flat().map((variable) => displayed(variable));
    apply({ accent: '#123456', 'accent-text': '#fff', text: '#111', radius: '3px', 'font-family': 'Georgia' });
    apply({});
    expect(pairs.flat().map((variable) => displayed(variable))).to.deep.equal(before);
    expect(root.style.getPropertyValue('--radius-small')).to.equal('');
  });

  const hex = fc.nat(0xffffff).map((number) => `#${number.toString(16).padStart(6, '0')}`);
  // Colors at the ends of the scale are often readable, so that they are applied.
  const translucent = fc.tuple(hex, fc.constantFrom('00', '40', '80', 'c0')).map(([color, alpha]) => color + alpha);
  const color = fc.oneof(hex, translucent, fc.constantFrom('#000000', '#ffffff', '#111111', '#eeeeee'));
  const colors = fc.record(
    Object.fromEntries(themeTokens.color.map((token) => [token, color])) as Record<ThemeToken, typeof color>,
    { requiredKeys: [] },
  );

  it('is always readable, for any combination of colors', () => {
    fc.assert(
      fc.property(colors, fc.constantFrom('light', 'dark'), (tokens, scheme) => {
        root.style.setProperty('--page', scheme === 'light' ? '#f4f3ef' : '#141513');
        apply(tokens, scheme);
        const unreadable = pairs.filter(([text, ground]) => {
          const grounds = ['--page', '--ground', ...(ground === '--ground' ? [] : [ground])];
          return contrastOf(displayed(...grounds, text), displayed(...grounds)) < 4.5;
        });
        expect(unreadable).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });
});
