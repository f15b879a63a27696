import { tablesOf } from './tables-of.ts';

export interface ServiceKeyTable {
  name: string;
  value: string;
}

/** Facts of the installation as a whole: `environment`. */
export interface InstallationTable {
  name: string;
  value: string;
}

export interface InstallationTables {
  service_keys: ServiceKeyTable;
  installation: InstallationTable;
}

export const { db, statement, lists } = tablesOf<InstallationTables>();
