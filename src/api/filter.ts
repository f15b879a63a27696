import { z } from 'zod';

/** Maximum number of values in one filter. */
const MAX_VALUES = 50;

/**
 * Values of a filter, any of which matches. In the URL they are one parameter with commas, such as `status=paid,failed`,
 * which `readQuery` splits.
 */
export function anyOf<Item extends z.ZodType<string>>(item: Item) {
  return z.array(item).min(1).max(MAX_VALUES).optional();
}
