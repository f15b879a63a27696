import { expect } from 'chai';
import { qrPath } from '../../pages/checkout/elements/qr-path.ts';

/** Dark modules of a path, row by row. */
function darkModules({ size, d }: { size: number; d: string }): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x = '', y = '', width = ''] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at++) {
      const row = rows[Number(y)];
      if (row) row[at] = true;
    }
  }
  return rows;
}

describe('the QR path', () => {
  const path = qrPath('https://pay.example/p/0123456789abcdefghijk');
  const rows = darkModules(path);

  it('has a quiet zone of four modules', () => {
    const isEdge = (at: number) => at < 4 || at >= path.size - 4;
    const dark = rows.flatMap((row, y) => row.map((isDark, x) => isDark && (isEdge(x) || isEdge(y))));
    expect(dark).not.to.include(true);
  });

  it('has three finder patterns', () => {
    const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];
    const at = (left: number, top: number) =>
      finder.map((_, y) => finder.map((__, x) => (rows[top + y]?.[left + x] ? '#' : '.')).join(''));
    const far = path.size - 4 - 7;
    expect([at(4, 4), at(far, 4), at(4, far)]).to.deep.equal([finder, finder, finder]);
  });
});
