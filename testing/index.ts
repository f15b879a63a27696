/*
 * For tests that pay: the payment form, the bank's page and the payment link as Playwright page
 * objects, and what to type for each outcome. Everything is found as a buyer finds it, by labels and
 * names, in English.
 */
export type { CardFieldName, CardValues } from '../src/shared/card-form.ts';
export { IssuerPage } from './issuer-page.ts';
export { type SimulatedDecision, SimulatorPage } from './simulator-page.ts';
export { LinkPage } from './link-page.ts';
export { PayForm, type PayFormOptions } from './pay-form.ts';
export { type Outcome, PaymentForm } from './payment-form.ts';
export { scenarios } from './scenarios.ts';
