/** Date of the sandbox's exchange rates, a table that never changes. */
export const SANDBOX_RATES_DATE = '2026-11-02';

/** Name of this table as a source. Its rates are not real prices. */
export const SANDBOX_RATES_SOURCE = 'sandbox-table';
