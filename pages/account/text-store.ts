import type { PageTexts } from '../../src/api/page-state.ts';

type ReadTexts = (bundle: string, language: string) => Promise<PageTexts>;

interface LanguageTexts {
  language: string;
  bundles: Set<string>;
  page: PageTexts;
}

/** Text in the displayed language. Each page loads its bundles before it is shown. */
export class TextStore {
  readonly #read: ReadTexts;
  #shown: LanguageTexts;

  constructor(read: ReadTexts, language: string, bundles: readonly string[], page: PageTexts) {
    this.#read = read;
    this.#shown = { language, bundles: new Set(bundles), page };
  }

  /** The displayed text. `load` adds to the same object, which the page's `I18n` reads. */
  get page(): PageTexts {
    return this.#shown.page;
  }

  /** Loads the missing bundles of the displayed language. */
  async load(bundles: readonly string[]): Promise<void> {
    const shown = this.#shown;
    await this.#loadInto(shown, bundles);
    // The language changed in the meantime.
    if (shown !== this.#shown) await this.load(bundles);
  }

  async #loadInto({ language, bundles: loaded, page }: LanguageTexts, bundles: readonly string[]): Promise<void> {
    const missing = bundles.filter((bundle) => !loaded.has(bundle));
    for (const part of await Promise.all(missing.map(async (bundle) => await this.#read(bundle, language))))
      Object.assign(page, part, { texts: Object.assign(page.texts, part.texts) });
    for (const bundle of missing) loaded.add(bundle);
  }

  /** Loads the bundles in use in another language. Returns a function that shows it. */
  async prepare(language: string): Promise<() => void> {
    const next = { language, bundles: new Set<string>(), page: { texts: {} } as PageTexts };
    const bundlesInUse = () => [...this.#shown.bundles];
    while (bundlesInUse().some((bundle) => !next.bundles.has(bundle))) await this.#loadInto(next, bundlesInUse());
    return () => {
      this.#shown = next;
    };
  }
}
