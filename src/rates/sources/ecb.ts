import { z } from 'zod';
import { crossRate } from '../../shared/rate-arithmetic.ts';
import { HOUR, parseMoment } from '../../shared/time.ts';
import type { RateSource } from '../port.ts';
import { decimalText, dollarQuotes } from '../quotes.ts';

/**
 * https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates: units of each currency for
 * one euro, on working days at about 16:00 CET.
 */
const responseSchema = z.object({ day: z.iso.date(), rates: z.record(z.string(), decimalText) });

/** Reads the elements `<Cube time='…'>` and `<Cube currency='…' rate='…'/>`. */
function readCubes(xml: string): z.output<typeof responseSchema> {
  const cubes = [...xml.matchAll(/<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([\d.]+)["']\s*\/>/g)];
  return responseSchema.parse({
    day: /<Cube\s+time=["']([\d-]+)["']/.exec(xml)?.[1],
    rates: Object.fromEntries(cubes.map(([, code, rate]) => [code, rate])),
  });
}

/** The European Central Bank: daily reference rates. */
export const ecb: RateSource = {
  name: 'ecb',
  kind: 'currencies',
  interval: HOUR,
  async fetchQuotes(fetchText) {
    const { day, rates } = readCubes(await fetchText('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'));
    const valueOf = (code: string) => {
      if (code === 'EUR') return '1';
      const perEuro = rates[code];
      return perEuro === undefined ? undefined : crossRate('1', perEuro);
    };
    return dollarQuotes(valueOf, parseMoment(day)?.at ?? 0);
  },
};
