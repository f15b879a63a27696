/** An event's `data` as merchants receive it: the stored form leaves the merchant to the row's own column. */
export function eventData({ merchant_id, data }: { merchant_id: number; data: string }): object {
  return { merchant_id, ...(JSON.parse(data) as object) };
}
