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
