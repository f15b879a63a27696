import { type AccountContext, hasScope } from '../context.ts';
import type { Brand } from './brand.ts';

/** The merchant's brand, and the default lifetime of its links in minutes; null if unknown. */
export async function readLinkPreferences({
  api,
  merchant,
  scopes,
}: AccountContext): Promise<Brand & { lifetimeMinutes: number | null }> {
  const [preferences, lifetime, uploaded] = hasScope({ scopes }, 'preference:read')
    ? await Promise.all([
        api.listPreferences().catch(() => null),
        api.listPreferenceKeys({ key: 'link-lifetime-minutes' }).catch(() => null),
        api.getLogo().catch(() => null),
      ])
    : [null, null, null];
  const valueOf = (name: string) => preferences?.merchantPreferences.find(({ key }) => key === name)?.value;
  const [{ value, default: usual } = {}] = lifetime?.keys ?? [];
  const minutes = Number(value ?? usual ?? Number.NaN);
  const [name, color] = [valueOf('brand-name'), valueOf('brand-color')];
  return {
    name: typeof name === 'string' && name !== '' ? name : (merchant?.name ?? ''),
    // A logo of another host is not shown: the content security policy of the account area blocks it.
    logo: uploaded?.logo ? new URL(uploaded.logo.url).pathname : null,
    color: typeof color === 'string' ? color : null,
    lifetimeMinutes: Number.isFinite(minutes) ? minutes : null,
  };
}
