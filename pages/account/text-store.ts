import type { PageTexts } from '../../src/api/page-state.ts';

type ReadTexts = (area: string, language: string) => Promise<PageTexts>;

interface LanguageTexts {
  language: string;
  areas: Set<string>;
  page: PageTexts;
}

/** Text in the displayed language. Each page loads its namespaces before it is shown. */
export class TextStore {
  readonly #read: ReadTexts;
  #shown: LanguageTexts;

  constructor(read: ReadTexts, language: string, areas: readonly string[], page: PageTexts) {
    this.#read = read;
    this.#shown = { language, areas: new Set(areas), page };
  }

  /** The displayed text. `load` adds to the same object, which the page's `I18n` reads. */
  get page(): PageTexts {
    return this.#shown.page;
  }

  /** Loads the missing namespaces of the displayed language. */
  async load(areas: readonly string[]): Promise<void> {
    const shown = this.#shown;
    await this.#loadInto(shown, areas);
    // The language changed in the meantime.
    if (shown !== this.#shown) await this.load(areas);
  }

  async #loadInto({ language, areas: loaded, page }: LanguageTexts, areas: readonly string[]): Promise<void> {
    const missing = areas.filter((area) => !loaded.has(area));
    for (const part of await Promise.all(missing.map(async (area) => await this.#read(area, language))))
      Object.assign(page, part, { texts: Object.assign(page.texts, part.texts) });
    for (const area of missing) loaded.add(area);
  }

  /** Loads the namespaces in use in another language. Returns a function that shows it. */
  async prepare(language: string): Promise<() => void> {
    const next = { language, areas: new Set<string>(), page: { texts: {} } as PageTexts };
    const areInUse = () => [...this.#shown.areas];
    while (areInUse().some((area) => !next.areas.has(area))) await this.#loadInto(next, areInUse());
    return () => {
      this.#shown = next;
    };
  }
}
