import { createContext } from '@lit/context';
import type { TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import type { TokenScope } from '../../src/shared/scopes.ts';
import type { Account } from '../../src/api/account.ts';
import type { AccountApi } from './api.ts';
import type { Format } from './format.ts';
import type { LiveUpdates } from './live.ts';

export type AccountMerchant = Account['merchants'][number];

/** A dialog that asks for confirmation or input. */
export interface Prompt {
  heading: string;
  text?: string | TemplateResult;
  /** Form fields; the dialog returns their values by name. */
  fields?: TemplateResult;
  /** Label of the confirming button. */
  confirm: string;
  /** Label of the button that closes the dialog; "Cancel" unless that is ambiguous. */
  dismiss?: string;
  /** True if the action can't be undone. */
  isDestructive?: boolean;
}

/** The shell's interface for pages and the elements within them. */
export interface AccountContext {
  i18n: I18n;
  /** Null without a session. */
  account: Account | null;
  /** Merchant of the page; null for pages without one. */
  merchant: AccountMerchant | null;
  /** Scopes of the user for this merchant. */
  scopes: ReadonlySet<string>;
  api: AccountApi;
  live: LiveUpdates;
  format: Format;
  /** Navigates to a URL of the account area, such as `/account/7/team`. */
  navigate(url: string): void;
  /** Returns the URL of a page of this merchant: `merchantPath('transactions', 'order-1')`. */
  merchantPath(...segments: readonly string[]): string;
  /** Shows a one-line message, and announces it to screen readers. */
  announce(text: string): void;
  /** Returns the values of the fields; null if the user canceled. */
  prompt(prompt: Prompt): Promise<FormData | null>;
  /** Reads the account again after a change. After sign-in, continues to the requested page. */
  reloadAccount(): Promise<void>;
  signOut(): Promise<void>;
  /** Updates the number of payments awaiting review. */
  refreshReviewCount(): void;
}

export const accountContext = createContext<AccountContext>(Symbol('account'));

export function hasScope({ scopes }: Pick<AccountContext, 'scopes'>, scope: TokenScope): boolean {
  return scopes.has(scope);
}
