/** The page where a tester plays the payer of an invoice and its chain. Amounts are words: `0.0015 BTC`. */
export interface ChainSimulatorPage {
  merchantName: string;
  reference: string | null;
  network: string;
  address: string;
  /** Requested amount; null if any amount is accepted. */
  asked: string | null;
  /** In whole coins, for the field in which another one is typed; empty where the merchant had none in mind. */
  coins: string;
  status: string;
  labels: readonly string[];
  /** Height of the last block. */
  height: number;
  payments: readonly { txHash: string; amount: string; confirmations: number | null; decision: string }[];
  waiting: readonly { txHash: string; amount: string }[];
  /** In capitals, the invoice's own first. */
  currencies: readonly string[];
  /** A token that is not the invoice's own; null where the chain has none. */
  otherCurrency: string | null;
  /** Where the forms post. */
  actionUrl: string;
  returnUrl: string;
}
