import type { InvoicePageState } from '../api/invoice-page.ts';
import type { RenderedPage, PageLanguage } from '../http/rendered-page.ts';

/** What the page of an invoice shows, and where. */
interface InvoicePage {
  state: InvoicePageState;
  /** `/i/ID`. */
  path: string;
}

/** What draws the pages of invoices; they are built apart from the service. */
export interface InvoicePages {
  renderInvoicePage(page: InvoicePage, language: PageLanguage): RenderedPage;
}
