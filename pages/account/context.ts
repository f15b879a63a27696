import { createContext } from '@lit/context';
import type { TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import type { TokenScope } from '../../src/shared/scopes.ts';
import type { Account } from '../../src/api/account.ts';
import type { AccountApi } from './api.ts';
import type { Format } from './format.ts';
import type { LiveUpdates } from './live.ts';

export type AccountMerchant = Account['merchants'][number];

/** A question that is asked before something is done. */
export interface Prompt {
  heading: string;
  text?: string | TemplateResult;
  /** What is asked for besides: fields, whose values come back by their names. */
  fields?: TemplateResult;
  /** What the button says that goes on. */
  confirm: string;
  /** Label of the button that closes the dialog; "Cancel" unless that is ambiguous. */
  dismiss?: string;
  /** Whether it cannot be taken back. */
  isDestructive?: boolean;
}

/** The frame's interface for pages and the elements within them. */
export interface AccountContext {
  i18n: I18n;
  /** Null where nobody has signed in. */
  account: Account | null;
  /** Whose pages these are; null where they are nobody's. */
  merchant: AccountMerchant | null;
  /** What the person may do for this merchant. */
  scopes: ReadonlySet<string>;
  api: AccountApi;
  live: LiveUpdates;
  format: Format;
  /** Goes to an address of the account area, `/account/7/team`. */
  navigate(url: string): void;
  /** The address of a page of this merchant: `here('transactions', 'order-1')`. */
  merchantPath(...segments: readonly string[]): string;
  /** Says in a line what was done; spoken as well. */
  announce(text: string): void;
  /** The values of the fields; null where the person thought better of it. */
  prompt(prompt: Prompt): Promise<FormData | null>;
  /** Reads anew who this is, after something about it has changed; goes on to where they wanted to go after signing in. */
  reloadAccount(): Promise<void>;
  signOut(): Promise<void>;
  /** Counts again what waits for a decision. */
  refreshReviewCount(): void;
}

export const accountContext = createContext<AccountContext>(Symbol('account'));

export function hasScope({ scopes }: Pick<AccountContext, 'scopes'>, scope: TokenScope): boolean {
  return scopes.has(scope);
}
