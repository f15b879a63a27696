/*
 * Payment provider for Medusa 2. Medusa loads the default export of this module.
 */
import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PaylatchPaymentProvider } from './provider.ts';

export type { CurrencyOptions } from '../options.ts';
export { type PaylatchMedusaOptions, PaylatchPaymentProvider } from './provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [PaylatchPaymentProvider] });
