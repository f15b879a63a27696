import { tablesOf } from './tables-of.ts';

export interface ServiceKeyTable {
  name: string;
  value: string;
}

/** Properties of the whole installation: `environment`. */
export interface InstallationTable {
  name: string;
  value: string;
}

export interface InstallationTables {
  service_keys: ServiceKeyTable;
  installation: InstallationTable;
}

export const { db, statement, combinedStatement } = tablesOf<InstallationTables>();
