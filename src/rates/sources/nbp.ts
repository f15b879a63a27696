import { z } from 'zod';
import { HOUR, parseMoment } from '../../shared/time.ts';
import type { RateSource } from '../port.ts';
import { decimalNumber, dollarQuotes } from '../quotes.ts';

const mid = z.object({ code: z.string(), mid: decimalNumber });

/** https://api.nbp.pl/en.html: the value of one unit of each currency in zloty. */
const tables = z.tuple([z.object({ effectiveDate: z.iso.date(), rates: z.array(mid) })]);
const dollarRate = z.object({ rates: z.tuple([z.object({ mid: decimalNumber })]) });

const ADDRESS = 'https://api.nbp.pl/api/exchangerates';

/** The National Bank of Poland, table A: common currencies, on working days. */
export const nbp: RateSource = {
  name: 'nbp',
  kind: 'currencies',
  interval: HOUR,
  async fetchQuotes(fetchText) {
    const [{ effectiveDate, rates }] = tables.parse(JSON.parse(await fetchText(`${ADDRESS}/tables/a/?format=json`)));
    const values = new Map(rates.map((each) => [each.code, each.mid]));
    return dollarQuotes((code) => values.get(code), parseMoment(effectiveDate)?.at ?? 0);
  },
};

/**
 * The National Bank of Poland, table B: the other currencies, on Wednesdays. They are converted at the dollar rate of
 * the same day.
 */
export const nbpWeekly: RateSource = {
  name: 'nbp-weekly',
  kind: 'currencies',
  interval: HOUR,
  async fetchQuotes(fetchText) {
    const [{ effectiveDate, rates }] = tables.parse(JSON.parse(await fetchText(`${ADDRESS}/tables/b/?format=json`)));
    const dollar = dollarRate.parse(
      JSON.parse(await fetchText(`${ADDRESS}/rates/a/usd/${effectiveDate}/?format=json`)),
    );
    const values = new Map(rates.map((each) => [each.code, each.mid])).set('USD', dollar.rates[0].mid);
    return dollarQuotes((code) => values.get(code), parseMoment(effectiveDate)?.at ?? 0);
  },
};
