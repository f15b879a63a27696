import { Hono } from 'hono';
import type { PageTexts, ScriptedPage } from '../api/page-state.ts';
import type { HttpEnv } from './context.ts';
import { noParameters, readQuery } from './query.ts';

/** The texts of pages in every supported language. */
export interface PageTextSource {
  /** True if the language of `locale` is supported. */
  hasLanguage(locale: string): boolean;
  readTexts(page: ScriptedPage, locale: string): PageTexts;
}

/** Serves a page's texts when its language changes. */
export function textRoutes(pages: PageTextSource): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/texts/:page{card|link|methods|invoice|account}/:locale', (http) => {
    readQuery(http, noParameters);
    http.header('Cache-Control', 'public, max-age=3600');
    return http.json(pages.readTexts(http.req.param('page') as ScriptedPage, http.req.param('locale')));
  });
}
