/** A section that the search finds. `/reference/search.json` is a list of them. */
export interface SearchEntry {
  /** Path with hash. */
  href: string;
  title: string;
  /** Endpoint, event type, or status and title of a problem. */
  note: string;
  /** Words of the section, in lower case. */
  text: string;
}
