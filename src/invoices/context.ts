import type { DepositsContext } from '../deposits/context.ts';
import type { CoinRates } from '../rates/port.ts';
import type { Random } from '../system/random.ts';
import type { Mailer } from '../mail/outbox.ts';
import type { Outbox } from '../webhooks/outbox.ts';

/** Dependencies of invoices. */
export interface InvoicesContext extends DepositsContext {
  random: Random;
  outbox: Outbox;
  mailer: Mailer;
  rates: CoinRates;
  publicUrl: string;
  sandbox: boolean;
}
