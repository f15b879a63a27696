/** The `data` that merchants receive: the stored JSON and the merchant's ID, which is in a column of its own. */
export function eventData({ merchant_id, data }: { merchant_id: number; data: string }): object {
  return { merchant_id, ...(JSON.parse(data) as object) };
}
