import { readStored, writeStored } from '../storage.ts';
import { type DateRange, datePresets, presetOf, presetRange } from '../dates.ts';
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
  return readAll(merchantId).map(withCurrentDates);
}

/** The saved filters. Of a period such as the last 7 days, `since` is the name of the preset. */
function readAll(merchantId: number | undefined): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(merchantId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSavedFilter).slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

function isSavedFilter(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedFilter>;
  return typeof name === 'string' && name !== '' && typeof search === 'string';
}

function normalize(
  { name, search: stored }: SavedFilter,
  datesOf: (stored: Partial<DateRange>) => Partial<DateRange> | null,
) {
  const { filters, ...query } = parseListQuery(stored);
  const search = formatListQuery({ ...query, filters: { ...filters, ...datesOf(filters) } });
  return { name: name.slice(0, MAX_NAME_LENGTH), search };
}

function withCurrentDates(saved: SavedFilter): SavedFilter {
  return normalize(saved, ({ since }) => {
    const preset = datePresets.find((each) => each === since);
    return preset === undefined ? null : presetRange(preset);
  });
}

function withPreset(saved: SavedFilter): SavedFilter {
  return normalize(saved, ({ since, till }) => {
    const preset = presetOf(since, till);
    return preset && { since: preset, till: '' };
  });
}

/** Saves a filter, in place of one with the same name, and returns all. */
export function saveFilter(merchantId: number | undefined, saved: SavedFilter): SavedFilter[] {
  const others = readAll(merchantId).filter(({ name }) => name !== saved.name);
  return write(merchantId, [...others, withPreset(saved)].slice(-MAX_SAVED));
}

export function deleteFilter(merchantId: number | undefined, removed: string): SavedFilter[] {
  return write(
    merchantId,
    readAll(merchantId).filter(({ name }) => name !== removed),
  );
}

function write(merchantId: number | undefined, all: SavedFilter[]): SavedFilter[] {
  writeStored(keyOf(merchantId), JSON.stringify(all));
  return all.map(withCurrentDates);
}
