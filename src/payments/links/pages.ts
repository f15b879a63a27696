import type { Embedding, PageState, SubmittedForm } from '../../api/page-state.ts';
import type { DrawnPage, PageLanguage } from '../../http/drawn-page.ts';
import type { PageTextSource } from '../../http/text-routes.ts';

/** What a page of a payment shows, and where. */
export interface PaymentPage {
  state: PageState;
  linkPath: string;
  embedding: Embedding | null;
  /** Whether the buyer comes from paying. */
  isPaidReturn?: boolean;
  /** What was posted to it without a script. */
  submitted?: SubmittedForm;
}

/** What draws the pages of payments; they are built apart from the service. */
export interface PaymentPages extends PageTextSource {
  renderLinkPage(page: PaymentPage, language: PageLanguage): DrawnPage;
  /** A picture of the link page for our own pages: without script, and nothing of it can be used. */
  renderLinkPreview(page: PaymentPage, language: PageLanguage): DrawnPage;
  renderCardFrame(page: PaymentPage & { embedding: Embedding }, language: PageLanguage): DrawnPage;
  /** What stands in the bank's frame when the bank is done, until the frame around it takes it away. */
  renderChallengeEnd(embedding: Embedding, language: PageLanguage): DrawnPage;
}
