import { isFamilyNameFirst, requiredAddressFields } from '../../../src/shared/address.ts';
import type { CardFieldName, PayerFieldName } from '../../../src/shared/card-form.ts';

/** A field of the form; `label` is the key of its text. */
interface ShownField {
  name: CardFieldName;
  label: string;
}

/** A line of one or two fields. */
export type Row = readonly ShownField[];

/** Payer fields of the form, in the order and with the labels of the payer's country. */
export interface PayerRows {
  name: Row;
  address: readonly Row[];
  contact: readonly Row[];
}

/** Address fields among `requestedFields` are shown only if the country requires them, or if they are `set`. */
export function payerRows(
  country: string,
  requestedFields: readonly PayerFieldName[],
  set: readonly CardFieldName[],
): PayerRows {
  const field = (name: CardFieldName, label: string = name): ShownField => ({ name, label });
  const isShown = ({ name }: ShownField) => requestedFields.includes(name as PayerFieldName) || set.includes(name);
  const names = [field('first_name'), field('last_name')];
  const ofCountry = requiredAddressFields(country);
  const others = addressNames.filter((name) => set.includes(name) && !ofCountry.some((each) => each.name === name));
  const address = [field('country'), ...ofCountry, ...others.map((name) => field(name))].filter(isShown);
  return {
    name: (isFamilyNameFirst(country) ? names.toReversed() : names).filter(isShown),
    address: toRows(address),
    contact: toRows([field('phone'), field('email')].filter(isShown)),
  };
}

const addressNames = ['address', 'city', 'state', 'postcode'] as const;

/** Pairs short fields. The street needs a whole line, and so does the first of an odd number of short fields. */
function toRows(fields: readonly ShownField[]): Row[] {
  const rows: ShownField[][] = [];
  let short: ShownField[] = [];
  const addShort = () => {
    const odd = short.length % 2;
    if (odd === 1) rows.push(short.slice(0, 1));
    for (let index = odd; index < short.length; index += 2) rows.push(short.slice(index, index + 2));
    short = [];
  };
  for (const field of fields) {
    if (field.name === 'address') {
      addShort();
      rows.push([field]);
    } else short.push(field);
  }
  addShort();
  return rows;
}
