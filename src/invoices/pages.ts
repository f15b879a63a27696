import type { InvoicePageState } from '../api/invoice-page.ts';
import type { RenderedPage, PageLanguage } from '../http/rendered-page.ts';

/** State and path of an invoice page. */
interface InvoicePage {
  state: InvoicePageState;
  /** `/i/ID`. */
  path: string;
}

/** Renderer of invoice pages, which are built separately from the service. */
export interface InvoicePages {
  renderInvoicePage(page: InvoicePage, language: PageLanguage): RenderedPage;
}
