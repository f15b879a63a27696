/*
 * Playwright page objects for tests of a checkout: payment form, challenge page, payment link, and test cards for
 * each outcome. Elements are located as buyers find them, by their English labels and names.
 */
export type { CardFieldName, CardValues } from '../src/shared/card-form.ts';
export { IssuerPage } from './issuer-page.ts';
export { type SimulatedDecision, SimulatorPage } from './simulator-page.ts';
export { LinkPage } from './link-page.ts';
export { PayForm, type PayFormOptions } from './pay-form.ts';
export type { Outcome } from './outcomes.ts';
export { PaymentForm } from './payment-form.ts';
export { scenarios } from './scenarios.ts';
