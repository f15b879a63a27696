import type { I18n } from '../../checkout/elements/i18n.ts';
import { checkField } from '../choices.ts';
import { readStored, writeStored } from '../storage.ts';

const STORAGE_KEY = 'paylatch.preference-keys';

/** True if the user wants to see the API's preference keys, in this browser. */
export function showsPreferenceKeys(): boolean {
  return readStored(STORAGE_KEY) === 'shown';
}

/** A checkbox that shows the preference key of each setting: developers need them, others do not. */
export function preferenceKeysField(host: { requestUpdate(): void }, i18n: I18n) {
  return checkField({
    ...{ name: 'preference-keys', text: i18n.text('account.settings.show_keys'), isChecked: showsPreferenceKeys() },
    onChange: (isChecked) => {
      writeStored(STORAGE_KEY, isChecked ? 'shown' : 'hidden');
      host.requestUpdate();
    },
  });
}
