/** For the developer of the page around the frame. */
export function warn(text: string) {
  // oxlint-disable-next-line no-console -- a developer looks there, and nobody else can be told
  console.warn(`<pay-form>: ${text}`);
}
