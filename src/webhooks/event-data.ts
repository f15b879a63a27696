/** Returns an event's `data` for merchants: the stored JSON and the merchant's ID, which has its own column. */
export function eventData({ merchant_id, data }: { merchant_id: number; data: string }): object {
  return { merchant_id, ...(JSON.parse(data) as object) };
}
