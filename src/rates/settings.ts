import { z } from 'zod';
import { DAY, MINUTE } from '../shared/time.ts';
import { ConfigError, declareSettings } from '../system/settings.ts';
import type { LimitsByKind } from './live.ts';
import type { RateSource } from './port.ts';
import { rateSources } from './sources/registry.ts';

const names = rateSources.map(({ name }) => name);

/** `RATES_SOURCES`: names of sources, separated by commas. */
const sources = z.string().transform((list, context): RateSource[] => {
  const chosen = list.split(',').map((name) => name.trim());
  if (chosen.every((name) => names.includes(name))) return rateSources.filter(({ name }) => chosen.includes(name));
  context.issues.push({
    code: 'custom',
    input: list,
    message: `must contain names separated by commas: ${names.join(', ')}`,
  });
  return z.NEVER;
});

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be a whole number from ${min} to ${max}` });

const percent = z
  .string()
  .regex(/^\d{1,2}(?:\.\d{1,2})?$/, { error: 'must be a percentage such as 2 or 0.5' })
  .transform(Number)
  .refine((value) => value > 0, { error: 'must be greater than 0' });

/** Sources of exchange rates, and the limits of their rates. */
export interface RateOptions {
  sources: readonly RateSource[];
  limits: LimitsByKind;
}

/** The settings of exchange rates. The sandbox ignores them: its rates are a fixed table. */
export const rateSettings = declareSettings(
  'RATES_',
  {
    SOURCES: {
      schema: sources,
      default: names.join(','),
      help: 'sources of [exchange rates](rates.md) in production, separated by commas. The sandbox has fixed rates',
    },
    MIN_SOURCES: {
      schema: wholeNumber(1, 5),
      default: '2',
      help: 'number of sources that must agree on a rate; otherwise it is unavailable',
    },
    COIN_MAX_AGE_MINUTES: {
      schema: wholeNumber(1, 1440),
      default: '10',
      help: 'maximum age of a coin’s price, in minutes; an older one is unavailable',
    },
    COIN_MAX_DEVIATION_PERCENT: {
      schema: percent,
      default: '2',
      help: 'maximum deviation of a source from the median price of a coin, in percent; a source that deviates more is excluded',
    },
    COIN_MAX_JUMP_PERCENT: {
      schema: percent,
      default: '10',
      help: 'maximum change in a coin’s price from the last price. After a larger change, the price is unavailable until the sources have agreed on the new price for 15 minutes, or until the last price exceeds its maximum age',
    },
    FIAT_MAX_AGE_DAYS: {
      schema: wholeNumber(1, 60),
      default: '9',
      help: 'maximum age of a rate between currencies, in days. Some currencies have only a weekly reference rate',
    },
    FIAT_MAX_DEVIATION_PERCENT: {
      schema: percent,
      default: '5',
      help: 'the same as `RATES_COIN_MAX_DEVIATION_PERCENT`, for rates between currencies',
    },
    FIAT_MAX_JUMP_PERCENT: {
      schema: percent,
      default: '10',
      help: 'the same as `RATES_COIN_MAX_JUMP_PERCENT`, for rates between currencies',
    },
  },
  (values): RateOptions => ({
    sources: values.SOURCES || [],
    limits: {
      coins: {
        maxAge: values.COIN_MAX_AGE_MINUTES * MINUTE,
        minSources: values.MIN_SOURCES,
        maxDeviationPercent: values.COIN_MAX_DEVIATION_PERCENT,
        maxJumpPercent: values.COIN_MAX_JUMP_PERCENT,
      },
      currencies: {
        maxAge: values.FIAT_MAX_AGE_DAYS * DAY,
        minSources: values.MIN_SOURCES,
        maxDeviationPercent: values.FIAT_MAX_DEVIATION_PERCENT,
        maxJumpPercent: values.FIAT_MAX_JUMP_PERCENT,
      },
    },
  }),
);

/** Throws a `ConfigError` if too few sources have coin prices: crypto payments could not be priced. */
export function requireCoinSources({ sources: used, limits }: RateOptions): void {
  const { minSources } = limits.coins;
  if (used.filter(({ kind }) => kind === 'coins').length >= minSources) return;
  const coinNames = rateSources.filter(({ kind }) => kind === 'coins').map(({ name }) => name);
  throw new ConfigError(
    `RATES_SOURCES must include at least ${minSources} of ${coinNames.join(', ')} (RATES_MIN_SOURCES) to accept crypto payments in production.`,
  );
}
