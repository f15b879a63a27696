import { Hono } from 'hono';
import type { PageTexts, ScriptedPage } from '../api/page-state.ts';
import type { HttpEnv } from './context.ts';
import { noParameters, readQuery } from './query.ts';

/** What pages say, in every language that they speak. */
export interface PageTextSource {
  /** Whether there are texts in the language of `locale`, whatever it is. */
  speaks(locale: string): boolean;
  readTexts(page: ScriptedPage, locale: string): PageTexts;
}

/** What the script of an open page asks for when its language changes. */
export function textRoutes(pages: PageTextSource): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/texts/:page{card|link|methods|invoice|account}/:locale', (http) => {
    readQuery(http, noParameters);
    http.header('Cache-Control', 'public, max-age=3600');
    return http.json(pages.readTexts(http.req.param('page') as ScriptedPage, http.req.param('locale')));
  });
}
