/** What is likely the same for the next link. */
interface Ways {
  country: string;
  currency: string;
  payment_method: string;
  type_of_calculation: string;
  success_redirect_url: string;
  fail_redirect_url: string;
}

const names = [
  ...(['country', 'currency', 'payment_method'] as const),
  ...(['type_of_calculation', 'success_redirect_url', 'fail_redirect_url'] as const),
];
const keyOf = (merchant: number) => `paylatch-account-link-${merchant}`;

/** How this browser made the last link of a merchant. */
export function rememberedWays(merchant: number): Partial<Ways> {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(merchant)) ?? '{}') as Record<string, unknown>;
    const read = names.flatMap((name) => {
      const value = kept[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return Object.fromEntries(read);
  } catch {
    return {};
  }
}

export function rememberWays(merchant: number, ways: Ways): void {
  try {
    localStorage.setItem(keyOf(merchant), JSON.stringify(Object.fromEntries(names.map((name) => [name, ways[name]]))));
  } catch {
    // The next form begins empty, then.
  }
}
