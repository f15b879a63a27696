import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { PaylatchError } from '../../../client/error.ts';
import type { AccountContext } from '../context.ts';
import { button, notice, problemView } from '../parts.ts';
import { isCanceled, toProblem } from '../problems.ts';
import { type ExportProgress, type ExportEnvironment, saveExport } from './export.ts';
import { toExportQuery, type ListQuery } from './filters.ts';

type Export = { state: 'running' | 'done'; progress: ExportProgress } | { state: 'failed'; problem: PaylatchError };

interface Host extends ReactiveControllerHost {
  context: AccountContext;
  exportEnvironment: ExportEnvironment;
  listQuery: ListQuery;
}

/** Export of a list to a CSV file: the button and the progress. */
export class ListExport {
  readonly #host: Host;
  #export: Export | null = null;
  #abortController: AbortController | null = null;

  constructor(host: Host) {
    this.#host = host;
    host.addController({ hostDisconnected: () => this.#abortController?.abort() });
  }

  #set(state: Export | null) {
    this.#export = state;
    this.#host.requestUpdate();
  }

  #text(key: string, count = 0) {
    return this.#host.context.i18n.text(`account.${key}`, { count });
  }

  async #run() {
    if (this.#export?.state === 'running') return;
    const { api, announce } = this.#host.context;
    const query = toExportQuery(this.#host.listQuery);
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.#set({ state: 'running', progress: { rows: 0, bytes: 0 } });
    try {
      const progress = await saveExport(this.#host.exportEnvironment, {
        name: `transactions-${new Date().toISOString().slice(0, 10)}.csv`,
        signal: abortController.signal,
        fetch: async () => await api.fetchFile('/fiat/v1/transactions/export', query, abortController.signal),
        progress: (progress) => this.#set({ state: 'running', progress }),
      });
      this.#set({ state: 'done', progress });
      announce(this.#text('transactions.export.done', progress.rows));
    } catch (error) {
      this.#set(
        abortController.signal.aborted || isCanceled(error) ? null : { state: 'failed', problem: toProblem(error) },
      );
    }
  }

  button(): TemplateResult {
    const isDisabled = this.#export?.state === 'running';
    const text = html`<span class="export-text">${this.#text('transactions.export.button')}</span>`;
    return button(text, () => void this.#run(), { icon: 'download', isDisabled, className: 'export-button' });
  }

  state(): TemplateResult | typeof nothing {
    if (this.#export === null) return nothing;
    if (this.#export.state === 'failed') return problemView(this.#export.problem, () => void this.#run());
    const { state, progress } = this.#export;
    const isRunning = state === 'running';
    return notice({
      icon: isRunning ? 'file-down' : 'circle-check',
      text: html`<span class="export-state">${this.#text(`transactions.export.${state}`, progress.rows)}
        <span class="export-size">${this.#host.context.format.fileSize(progress.bytes)}</span></span>`,
      action: isRunning
        ? button(this.#text('shell.cancel'), () => this.#abortController?.abort())
        : button(this.#text('shell.close'), () => this.#set(null)),
    });
  }
}
