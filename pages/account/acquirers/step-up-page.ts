import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import { type StepUpDialog, withStepUp } from '../me/step-up-dialog.ts';
import { browserPasskeys, type Passkeys } from '../passkeys.ts';

/** A page with changes that require a step-up. */
export abstract class StepUpPage extends AccountPage {
  @property({ attribute: false }) passkeys: Passkeys = browserPasskeys;

  /** Runs an action, with a step-up if the service requires it. Throws an AbortError if the user cancels. */
  protected readonly runWithStepUp = async <Result>(action: () => Promise<Result>): Promise<Result> =>
    await withStepUp(action, async () => {
      const dialog = this.querySelector<StepUpDialog>('step-up-dialog');
      if (!dialog) return false;
      dialog.accountSecurity = await this.context.api.call('readSecurity');
      return await dialog.open();
    });

  protected stepUpDialog(reason = 'acquirers.step_up'): TemplateResult {
    return html`<step-up-dialog .passkeys=${this.passkeys} .reason=${this.text(reason)}></step-up-dialog>`;
  }
}
