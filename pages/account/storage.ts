/** A value kept in this browser; null if there is none, or if nothing may be kept. */
export function readStored(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value in this browser, where that is allowed. */
export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without it.
  }
}
