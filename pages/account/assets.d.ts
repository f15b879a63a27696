/** Vite gives the address of what is served as a file. */
declare module '*.svg' {
  const address: string;
  export default address;
}
