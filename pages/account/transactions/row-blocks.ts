/** Number of rows in a block. As in `transactions.css`. */
export const BLOCK_SIZE = 10;

export interface RowBlock<Row> {
  key: number;
  /** Position of the first row in the list. */
  start: number;
  rows: readonly Row[];
}

/** Splits a list into blocks. Rows stay in their blocks if others are added before or after them. */
export class RowBlocks<Row extends { id: number | string }> {
  /** The first row of block `key`, among the first rows of the list. */
  #anchor: { id: Row['id'] | null; key: number } = { id: null, key: 0 };

  split(rows: readonly Row[]): RowBlock<Row>[] {
    const found = Math.max(
      0,
      rows.findIndex(({ id }) => id === this.#anchor.id),
    );
    const offset = found % BLOCK_SIZE;
    const key = this.#anchor.key - (found - offset) / BLOCK_SIZE;
    this.#anchor = { id: rows[offset]?.id ?? null, key };
    const blocks = offset === 0 ? [] : [{ key: key - 1, start: 0, rows: rows.slice(0, offset) }];
    for (let start = offset; start < rows.length; start += BLOCK_SIZE) {
      const index = (start - offset) / BLOCK_SIZE;
      blocks.push({ key: key + index, start, rows: rows.slice(start, start + BLOCK_SIZE) });
    }
    return blocks;
  }
}
