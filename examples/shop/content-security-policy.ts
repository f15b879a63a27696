/**
 * Content security policy of the shop's pages: only the shop's own files and, on pages with the payment form, the
 * sources that the form needs. `service` is the payment service's origin.
 */
export function contentSecurityPolicy(service?: string): string {
  const form = service === undefined ? '' : ` ${service}`;
  return [
    "default-src 'none'",
    `script-src 'self'${form}`,
    `style-src 'self'${form}`,
    `frame-src ${service ?? "'none'"}`,
    "connect-src 'self'",
    // Browsers also apply this to redirects after a form submission, such as to the payment page.
    `form-action 'self'${form}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
