import type { Embedding, PageDocument } from '../../api/page-state.ts';
import type { ReusableLinkPage } from '../../api/reusable-link-page.ts';
import type { RenderedPage, PageLanguage } from '../../http/rendered-page.ts';
import type { PageTextSource } from '../../http/text-routes.ts';
import type { FiatTransaction } from '../schema.ts';

/** Data of a payment page. */
export interface PaymentPage
  extends Pick<PageDocument, 'state' | 'linkPath' | 'embedding'>,
    Partial<Pick<PageDocument, 'isReturning' | 'submitted'>> {
  /** With manual capture, the page may have to say that an authorized amount was released. */
  capture?: FiatTransaction['capture'];
}

/** Renders payment pages, which are built separately from the service. */
export interface PaymentPages extends PageTextSource {
  renderLinkPage(page: PaymentPage, language: PageLanguage): RenderedPage;
  /**
   * Renders a static, non-interactive preview of the link page for the account area, light and dark or in one scheme.
   */
  renderLinkPreview(page: PaymentPage, language: PageLanguage, scheme?: 'light' | 'dark'): RenderedPage;
  renderReusableLink(page: ReusableLinkPage, language: PageLanguage): RenderedPage;
  renderCardFrame(page: PaymentPage & { embedding: Embedding }, language: PageLanguage): RenderedPage;
  /** Renders the form that starts a 3-D Secure challenge with a POST to the issuer. */
  renderChallengeForm(
    form: { url: string; fields: Readonly<Record<string, string>> },
    embedding: Embedding,
    language: PageLanguage,
  ): RenderedPage;
  /** Renders the page that a 3-D Secure challenge's frame shows after its end, until the frame is removed. */
  renderChallengeEnd(embedding: Embedding, language: PageLanguage): RenderedPage;
}
