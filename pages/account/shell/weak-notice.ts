import { readStored, writeStored } from '../storage.ts';

const STORAGE_KEY = 'paylatch.weak-notice-hidden';
const HIDDEN_MS = 14 * 86_400_000;

/** The user has dismissed the notice about an account with only a password; it returns after two weeks. */
export function isWeakNoticeHidden(): boolean {
  return Date.now() - Number(readStored(STORAGE_KEY) ?? 0) < HIDDEN_MS;
}

export function hideWeakNotice(): void {
  writeStored(STORAGE_KEY, String(Date.now()));
}
