import { restoreBackup, type Restored, type RestoreOptions } from '../backup/restore.ts';
import { suspendIssuingAfterRestore } from '../wallets/accounts.ts';

/** Restores a backup; also returns the chains on which addresses may have been issued after the backup. */
export async function restore(
  options: Omit<RestoreOptions, 'onRestored'>,
): Promise<Restored & { suspendedChains: readonly string[] }> {
  let suspendedChains: readonly string[] = [];
  const restored = await restoreBackup({
    ...options,
    async onRestored(unit, createdAt) {
      suspendedChains = await suspendIssuingAfterRestore(unit, createdAt);
    },
  });
  return { ...restored, suspendedChains };
}
