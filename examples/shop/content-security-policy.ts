/**
 * The policy of the shop's pages: nothing but the shop's own files, and on a page with the payment
 * form what that takes. `service` is the payment service's origin.
 */
export function contentSecurityPolicy(service?: string): string {
  const form = service === undefined ? '' : ` ${service}`;
  return [
    "default-src 'none'",
    `script-src 'self'${form}`,
    `style-src 'self'${form}`,
    `frame-src ${service ?? "'none'"}`,
    "connect-src 'self'",
    // Browsers hold a form to this also where its answer redirects to: the payment page.
    `form-action 'self'${form}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
