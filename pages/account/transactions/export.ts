/** Browser APIs; replaced in tests. */
export interface ExportEnvironment {
  /** Opens a file picker and returns a writable stream; null if the browser has none. */
  pickFile: ((name: string) => Promise<WritableStream<Uint8Array>>) | null;
  /** Downloads a complete file. */
  download(name: string, file: Blob): void;
}

interface FilePickerWindow {
  showSaveFilePicker?(options: {
    suggestedName: string;
    types: readonly { accept: Record<string, readonly string[]> }[];
  }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

export const browserExport: ExportEnvironment = {
  get pickFile() {
    const picker = window as FilePickerWindow;
    if (picker.showSaveFilePicker === undefined) return null;
    return async (name: string) => {
      const handle = await picker.showSaveFilePicker?.({
        suggestedName: name,
        types: [{ accept: { 'text/csv': ['.csv'] } }],
      });
      if (!handle) throw new DOMException('No file was chosen', 'AbortError');
      return await handle.createWritable();
    };
  },
  download(name, file) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
};

export interface ExportProgress {
  rows: number;
  bytes: number;
}

/** Counts the rows of streamed CSV. A line break within quotes is part of a value. */
export class RowCounter {
  #isQuoted = false;
  #lines = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0x22) this.#isQuoted = !this.#isQuoted;
      else if (byte === 0x0a && !this.#isQuoted) this.#lines += 1;
    }
  }

  /** Number of rows without the header. */
  get rows(): number {
    return Math.max(0, this.#lines - 1);
  }
}

/** Streams a response to a file. An incomplete export is discarded, and the selected file keeps its contents. */
export async function saveExport(
  environment: ExportEnvironment,
  {
    name,
    fetch,
    signal,
    progress,
  }: {
    name: string;
    fetch(): Promise<Response>;
    signal: AbortSignal;
    progress(progress: ExportProgress): void;
  },
): Promise<ExportProgress> {
  // First, because browsers open the picker only during the user activation of the click.
  const file = environment.pickFile === null ? null : await environment.pickFile(name);
  const chunks: BlobPart[] = [];
  const writer = file?.getWriter() ?? null;
  const rowCounter = new RowCounter();
  let bytes = 0;
  try {
    const reader = (await fetch()).body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      signal.throwIfAborted();
      if (done || value === undefined) break;
      rowCounter.add(value);
      bytes += value.byteLength;
      if (writer) await writer.write(value);
      else chunks.push(value);
      progress({ rows: rowCounter.rows, bytes });
    }
    if (writer) await writer.close();
    else environment.download(name, new Blob(chunks, { type: 'text/csv' }));
    return { rows: rowCounter.rows, bytes };
  } catch (error) {
    await writer?.abort(error).catch(() => {});
    throw error;
  }
}
