/** Vite resolves an imported file to its URL. */
declare module '*.svg' {
  const address: string;
  export default address;
}

/** The text of a style sheet. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
