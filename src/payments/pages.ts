import type { Embedding, PageState, PageTexts, ScriptedPage, SubmittedForm } from '../contract/page-state.ts';

/** A page of ours: its whole HTML and the policy that it needs. */
export interface DrawnPage {
  html: string;
  contentSecurityPolicy: string;
}

/** Which language a page is to be in: the one that its address names, or else what the browser asks for. */
export interface PageLanguage {
  locale: string | undefined;
  acceptLanguage: string | undefined;
}

/** What a page of a payment shows, and where. */
export interface PaymentPage {
  state: PageState;
  linkPath: string;
  embedding: Embedding | null;
  /** Whether the buyer comes from paying. */
  isBack?: boolean;
  /** What was posted to it without a script. */
  submitted?: SubmittedForm;
}

/** What draws the pages of payments; they are built apart from the service. */
export interface PaymentPages {
  renderLinkPage(page: PaymentPage, language: PageLanguage): DrawnPage;
  renderCardFrame(page: PaymentPage & { embedding: Embedding }, language: PageLanguage): DrawnPage;
  /** What stands in the bank's frame when the bank is done, until the frame around it takes it away. */
  renderChallengeEnd(embedding: Embedding, language: PageLanguage): DrawnPage;
  /** Whether there are texts in the language of `locale`, whatever it is. */
  speaks(locale: string): boolean;
  readTexts(page: ScriptedPage, locale: string): PageTexts;
}
