/*
 * Payment plugin for Vendure 3.
 */
export type { CurrencyOptions } from '../options.ts';
export { paylatchPaymentHandler } from './handler.ts';
export { PaylatchPlugin } from './plugin.ts';
export type { PaylatchVendureOptions } from './service.ts';
