import type { Generated } from 'kysely';

/**
 * Declares a table once, as a record: a field for each column, with its type in code. The row type, the column list
 * and the conversion between rows and records follow from it.
 *
 * @example
 * const refunds = record({ id: generated(), merchant_id: integer(), amount_minor: amount().as('amount') });
 * type Refund = RecordOf<typeof refunds>; // { id: number; merchantId: number; amount: bigint }
 * type RefundTable = TableOf<typeof refunds>;
 */
export function record<Fields extends AnyFields>(fields: Fields): RecordDefinition<Fields> {
  const definitions = Object.entries(fields).map(([column, field]) => ({
    column,
    field,
    name: field.name ?? column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));
  return {
    columns: Object.keys(fields),
    personalColumns: definitions.filter(({ field }) => field.erasure === 'delete').map(({ column }) => column),
    read(row) {
      const values: Record<string, unknown> = {};
      for (const { column, name, field } of definitions)
        values[name] = field.read(row[column as keyof typeof row] as never);
      return values as ValuesOf<Fields>;
    },
    write(values) {
      const row: Record<string, unknown> = {};
      for (const { column, name, field } of definitions)
        if (name in values) row[column] = field.write(values[name as keyof typeof values] as never);
      return row as RowOf<Fields, typeof values>;
    },
    erase(values, eraser) {
      const row: Record<string, unknown> = {};
      for (const { column, name, field } of definitions) {
        const { erasure, isJson } = field;
        if (erasure === undefined) continue;
        const stored = field.write(values[name as keyof typeof values] as never);
        const isKept = erasure === 'replace' && typeof stored === 'string';
        row[column] = isKept ? eraser[isJson ? 'json' : 'text'](stored) : null;
      }
      return row as Partial<StoredOf<Fields>>;
    },
  };
}

export interface RecordDefinition<Fields extends AnyFields> {
  /** Listed by name, so that a prepared statement stays valid after a migration adds a column. */
  readonly columns: readonly (keyof Fields & string)[];
  read(row: StoredOf<Fields>): ValuesOf<Fields>;
  /** Converts some or all fields to columns. */
  write<Values extends Partial<ValuesOf<Fields>>>(values: Values): RowOf<Fields, Values>;
  /** Columns with nothing but personal data. Events name their fields alike. */
  readonly personalColumns: readonly (keyof Fields & string)[];
  /** Returns the columns with personal data, as they are after an erasure. */
  erase(values: ValuesOf<Fields>, eraser: TextEraser): Partial<StoredOf<Fields>>;
}

/** Erases a person's data in stored strings, and in the strings of stored JSON. */
interface TextEraser {
  text(text: string): string;
  json(text: string): string;
}

export type RecordOf<Definition> = Definition extends RecordDefinition<infer Fields> ? ValuesOf<Fields> : never;
/** A selected row. */
export type SelectedRow<Definition> = Definition extends RecordDefinition<infer Fields> ? StoredOf<Fields> : never;
export type TableOf<Definition> = Definition extends RecordDefinition<infer Fields> ? TableRowOf<Fields> : never;

const unchanged = (value: unknown): unknown => value;

export const text = <Value extends string = string>() => new Field<string, Value>(unchanged, unchanged);
/** An integer within 2^53, including times in microseconds. */
export const integer = () => new Field<number, number>(unchanged, unchanged);
/** A number that the database assigns to a new row. */
export const generated = () => new Field<number, number, never, true>(unchanged, unchanged);
/** An amount in minor units within 2^53. */
export const amount = () => new Field<number, bigint>(BigInt, Number);
/** An amount of any size, stored as decimal digits. */
export const digits = () => new Field<string, bigint>(BigInt, String);
/** 0 or 1. */
export const flag = () =>
  new Field<number, boolean>(
    (stored) => stored === 1,
    (value) => (value ? 1 : 0),
  );
/** JSON as text. */
export const json = <Value>(parse: (stored: unknown) => Value) =>
  new Field<string, Value>((stored) => parse(JSON.parse(stored)), JSON.stringify, { isJson: true });

class Field<Stored, Value, Name extends string = never, IsGenerated extends boolean = false> implements AnyField {
  declare readonly of: {
    stored: Stored;
    column: IsGenerated extends true ? Generated<Stored> : Stored;
    value: Value;
    name: Name;
  };
  readonly name: string | undefined;
  readonly isJson: boolean;
  readonly erasure: Erasure | undefined;
  readonly read: (stored: never) => unknown;
  readonly write: (value: never) => unknown;

  constructor(read: (stored: never) => unknown, write: (value: never) => unknown, traits: Traits = {}) {
    this.read = read;
    this.write = write;
    this.name = traits.name;
    this.isJson = traits.isJson ?? false;
    this.erasure = traits.erasure;
  }

  /** Sets the name in code, if it differs from the column's. */
  as<Other extends string>(name: Other) {
    return new Field<Stored, Value, Other, IsGenerated>(this.read, this.write, { ...this, name });
  }

  nullable() {
    const orNull = (convert: (value: never) => unknown) => (value: unknown) =>
      value === null ? null : convert(value as never);
    return new Field<Stored | null, Value | null, Name, IsGenerated>(orNull(this.read), orNull(this.write), this);
  }

  /** Marks personal data, which an erasure sets to null. */
  personal() {
    return new Field<Stored, Value, Name, IsGenerated>(this.read, this.write, { ...this, erasure: 'delete' });
  }

  /** Marks content that may mention a person: an erasure replaces the person's data in it. */
  partlyPersonal() {
    return new Field<Stored, Value, Name, IsGenerated>(this.read, this.write, { ...this, erasure: 'replace' });
  }
}

type Erasure = 'delete' | 'replace';
interface Traits {
  name?: string | undefined;
  isJson?: boolean;
  erasure?: Erasure | undefined;
}

interface AnyField {
  readonly of: { stored: unknown; column: unknown; value: unknown; name: string };
  readonly name: string | undefined;
  readonly isJson: boolean;
  readonly erasure: Erasure | undefined;
  readonly read: (stored: never) => unknown;
  readonly write: (value: never) => unknown;
}
type AnyFields = Readonly<Record<string, AnyField>>;
type Camel<Column> = Column extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Column;
type NameOf<Column, Of extends AnyField> = [Of['of']['name']] extends [never] ? Camel<Column> : Of['of']['name'];
type ValuesOf<Fields extends AnyFields> = {
  [Column in keyof Fields as NameOf<Column, Fields[Column]> & string]: Fields[Column]['of']['value'];
};
type StoredOf<Fields extends AnyFields> = { [Column in keyof Fields]: Fields[Column]['of']['stored'] };
type TableRowOf<Fields extends AnyFields> = { [Column in keyof Fields]: Fields[Column]['of']['column'] };
type RowOf<Fields extends AnyFields, Values> = {
  [Column in keyof Fields as NameOf<Column, Fields[Column]> extends keyof Values
    ? Column
    : never]: Fields[Column]['of']['stored'];
};
