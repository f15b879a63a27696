import type { DepositsContext } from '../deposits/context.ts';
import type { CoinRates } from '../rates/coins.ts';
import type { Random } from '../system/random.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import type { CoinNews } from './coin-payments/follow.ts';

/** What crypto transactions need of the rest of the service. */
export interface InvoicesContext extends DepositsContext {
  random: Random;
  outbox: Outbox;
  rates: CoinRates;
  publicUrl: string;
  sandbox: boolean;
  /** Told after the commit of what this process has done. */
  news: CoinNews;
}
