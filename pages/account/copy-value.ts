import { customElement } from 'lit/decorators.js';
import { browserClock } from '../checkout/elements/clock.ts';
import { CopyButton } from '../checkout/methods/copy-button.ts';
import { consumeContext } from './account-element.ts';

/** The copy button, with the texts of the account area. */
@customElement('copy-value')
export class CopyValue extends CopyButton {
  override clock = browserClock;

  constructor() {
    super();
    consumeContext(this, ({ words }) => {
      this.i18n = words;
    });
  }
}
