/** Vite resolves an imported file to its URL. */
declare module '*.svg' {
  const address: string;
  export default address;
}
