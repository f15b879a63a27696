// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { brandColors, formatHex, parseHex } from '../../pages/checkout/elements/brand-colors.ts';
import { contrastOf } from '../../pages/checkout/elements/contrast.ts';
import { packageRoot } from '../../src/system/root.ts';

const hexColor = fc.stringMatching(/^#[0-9a-f]{6}$/);
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

describe('brand colors', () => {
  test('a merchant’s color is kept, with readable text and a visible edge', () => {
    fc.assert(
      fc.property(hexColor, fc.constantFrom(...schemes), (color, scheme) => {
        const { accent, accentStrong, accentEdge, onAccent } = brandColors(color, scheme);
        assert.equal(formatHex(accent), color);
        assert.ok(contrastOf(onAccent, accent) >= 4.5, `text on ${color}`);
        assert.ok(contrastOf(onAccent, accentStrong) >= 4.5, `text on ${color} under the pointer`);
        for (const background of backgrounds(scheme)) {
          assert.ok(contrastOf(accentEdge, background) >= 3, `edge of ${color}, ${scheme}`);
          if (contrastOf(accent, background) < 3) assert.notDeepEqual(accentEdge, accent);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a color that is visible on every background is its own edge', () => {
    assert.deepEqual(brandColors('#1f5f4a', 'light').accentEdge, parseHex('#1f5f4a'));
    assert.deepEqual(brandColors('#ffcc00', 'dark').accentEdge, parseHex('#ffcc00'));
  });
});
