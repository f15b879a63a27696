import { radioCards } from '../choices.ts';
import type { AccountContext } from '../context.ts';
import { trimmedValue } from '../fields.ts';

const DEFAULT_HOURS = 24;
/** One day, one week, or not at all. */
const hourChoices = [DEFAULT_HOURS, 168, 0];

/** Asks how many hours a replaced secret stays valid. Returns null if the user cancels. */
export async function askKeepHours({ prompt }: AccountContext, text: (name: string) => string): Promise<number | null> {
  const values = await prompt({
    heading: text('integration.rotate_title'),
    text: text('integration.rotate_text'),
    fields: radioCards({
      ...{ legend: text('integration.keep_old'), isLegendHidden: true, name: 'keep' },
      selected: String(DEFAULT_HOURS),
      options: hourChoices.map((hours) => ({ value: String(hours), text: text(`integration.keep_${hours}`) })),
    }),
    confirm: text('integration.rotate'),
    isDestructive: true,
  });
  return values && Number(trimmedValue(values, 'keep') || DEFAULT_HOURS);
}
