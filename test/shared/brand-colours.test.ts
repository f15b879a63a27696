// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { brandColours, formatHex, parseHex } from '../../pages/checkout/elements/brand-colours.ts';
import { contrastOf } from '../../pages/checkout/elements/contrast.ts';
import { packageRoot } from '../../src/system/root.ts';

const hexColour = fc.stringMatching(/^#[0-9a-f]{6}$/);
const schemes = ['light', 'dark'] as const;

/** The page's backgrounds, as its style sheet has them. */
const tokens = readFileSync(join(packageRoot(), 'pages/checkout/elements/tokens.css'), 'utf8');
function backgrounds(scheme: 'light' | 'dark') {
  return ['paper', 'ground'].map((name) => {
    const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
    const hex = scheme === 'light' ? light : dark;
    return parseHex(hex.length === 4 ? hex.replaceAll(/\w/g, '$&$&') : hex);
  });
}

describe('brand colours', () => {
  test('a merchant’s colour is kept, with readable text and a visible edge', () => {
    fc.assert(
      fc.property(hexColour, fc.constantFrom(...schemes), (colour, scheme) => {
        const { accent, accentStrong, accentEdge, onAccent } = brandColours(colour, scheme);
        assert.equal(formatHex(accent), colour);
        assert.ok(contrastOf(onAccent, accent) >= 4.5, `text on ${colour}`);
        assert.ok(contrastOf(onAccent, accentStrong) >= 4.5, `text on ${colour} under the pointer`);
        for (const background of backgrounds(scheme)) {
          assert.ok(contrastOf(accentEdge, background) >= 3, `edge of ${colour}, ${scheme}`);
          if (contrastOf(accent, background) < 3) assert.notDeepEqual(accentEdge, accent);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a colour that is visible on every background is its own edge', () => {
    assert.deepEqual(brandColours('#1f5f4a', 'light').accentEdge, parseHex('#1f5f4a'));
    assert.deepEqual(brandColours('#ffcc00', 'dark').accentEdge, parseHex('#ffcc00'));
  });
});
