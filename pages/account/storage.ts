/** Reads a value of the browser's storage; null if there is none or storage is blocked. */
export function readStored(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value in this browser unless storage is blocked. */
export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without storage.
  }
}
