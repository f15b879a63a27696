/*
 * Everything that a link page needs for methods beside the card, loaded apart: what draws them, and
 * what to say of money that buyers send.
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
