import { radioCards } from '../choices.ts';
import type { AccountContext } from '../context.ts';
import { trimmedValue } from '../fields.ts';

const DEFAULT_HOURS = 24;
/** One day, one week, or not at all. */
const hourChoices = [DEFAULT_HOURS, 168, 0];

/** Asks how many hours a replaced secret stays valid. Returns null if the user cancels. */
export async function promptForOverlap(
  { prompt }: AccountContext,
  text: (name: string) => string,
): Promise<number | null> {
  const values = await prompt({
    heading: text('webhooks.rotate_title'),
    text: text('webhooks.rotate_text'),
    fields: radioCards({
      ...{ legend: text('webhooks.keep_old'), isLegendHidden: true, name: 'keep' },
      selected: String(DEFAULT_HOURS),
      options: hourChoices.map((hours) => ({ value: String(hours), text: text(`webhooks.keep_${hours}`) })),
    }),
    confirm: text('webhooks.rotate'),
    isDestructive: true,
  });
  return values && Number(trimmedValue(values, 'keep') || DEFAULT_HOURS);
}
