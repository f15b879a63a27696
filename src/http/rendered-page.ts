/** A rendered page: its HTML and its content security policy. */
export interface RenderedPage {
  html: string;
  contentSecurityPolicy: string;
}

/** A page's language: the one in its URL, or else the browser's preference. */
export interface PageLanguage {
  locale: string | undefined;
  acceptLanguage: string | undefined;
}
