/** In the sandbox: where a tester plays the payer of an invoice and its chain. */
export function simulatorPath(publicId: string): string {
  return `/sandbox/chain/${publicId}`;
}
