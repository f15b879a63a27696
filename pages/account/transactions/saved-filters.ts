import { readStored, writeStored } from '../storage.ts';
import { formatListQuery, parseListQuery } from './filters.ts';

/** A named filter, identified by the query string of its URL. */
export interface SavedFilter {
  name: string;
  search: string;
}

const MAX_SAVED = 20;
export const MAX_NAME_LENGTH = 40;

const keyOf = (merchantId: number | undefined) => `paylatch.saved-filters.${merchantId ?? ''}`;

/** Filters that the user has saved for a merchant in this browser. */
export function readSavedFilters(merchantId: number | undefined): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(merchantId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSavedFilter).map(normalize).slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

function isSavedFilter(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedFilter>;
  return typeof name === 'string' && name !== '' && typeof search === 'string';
}

const normalize = ({ name, search }: SavedFilter): SavedFilter => ({
  name: name.slice(0, MAX_NAME_LENGTH),
  search: formatListQuery(parseListQuery(search)),
});

/** Saves a filter, in place of one with the same name, and returns all. */
export function saveFilter(merchantId: number | undefined, saved: SavedFilter): SavedFilter[] {
  const others = readSavedFilters(merchantId).filter(({ name }) => name !== saved.name);
  return write(merchantId, [...others, normalize(saved)].slice(-MAX_SAVED));
}

export function deleteFilter(merchantId: number | undefined, removed: string): SavedFilter[] {
  return write(
    merchantId,
    readSavedFilters(merchantId).filter(({ name }) => name !== removed),
  );
}

function write(merchantId: number | undefined, all: SavedFilter[]): SavedFilter[] {
  writeStored(keyOf(merchantId), JSON.stringify(all));
  return all;
}
