/*
 * Non-card methods of the link page, loaded separately: instructions, and texts for received payments.
 */
import { areAmountsOver } from './amounts-over.ts';
import { beginMethod } from './begin-method.ts';
import { sentMoneyDisplay, sentMoneyNotice } from './sent-money.ts';
import './method-panel.ts';

export const methods = {
  ...{ beginMethod, isStale: areAmountsOver },
  ...{ notice: sentMoneyNotice, display: sentMoneyDisplay },
};
export type Methods = typeof methods;
