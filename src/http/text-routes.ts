import { type Context, Hono } from 'hono';
import type { PageTexts, ScriptedPage } from '../api/page-state.ts';
import type { HttpEnv } from './context.ts';
import { sendJson } from './json.ts';
import { noParameters, readQuery } from './query.ts';

/** The texts of pages in every supported language. */
export interface PageTextSource {
  /** True if the language of `locale` is supported. */
  hasLanguage(locale: string): boolean;
  /** Texts of a page in each of its states. */
  readTexts(page: ScriptedPage, locale: string): PageTexts;
  /** Texts of one area of the account area; null if there is no such area. */
  readAccountTexts(bundle: string, locale: string): PageTexts | null;
}

/** Serves a page's texts when its language changes, and those of the account area's pages when they are opened. */
export function textRoutes(pages: PageTextSource): Hono<HttpEnv> {
  const respond = (http: Context<HttpEnv>, texts: PageTexts) => {
    readQuery(http, noParameters);
    http.header('Cache-Control', 'public, max-age=3600');
    return sendJson(http, texts);
  };
  return new Hono<HttpEnv>()
    .get('/texts/:page{card|link|methods|invoice}/:locale', (http) =>
      respond(http, pages.readTexts(http.req.param('page') as ScriptedPage, http.req.param('locale'))),
    )
    .get('/texts/account/:bundle/:locale', (http) => {
      const texts = pages.readAccountTexts(http.req.param('bundle'), http.req.param('locale'));
      return texts === null ? http.notFound() : respond(http, texts);
    });
}
