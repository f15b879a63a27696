/** The page where a tester simulates the payer of an invoice and its chain. Amounts are text: `0.0015 BTC`. */
export interface ChainSimulatorPage {
  merchantName: string;
  reference: string | null;
  network: string;
  address: string;
  /** Requested amount; null if any amount is accepted. */
  requestedAmount: string | null;
  /** In whole coins, the initial value of the field for another amount; empty if the merchant requested none. */
  initialAmount: string;
  status: string;
  labels: readonly string[];
  /** Height of the last block. */
  height: number;
  payments: readonly { txHash: string; amount: string; confirmations: number | null; decision: string }[];
  waiting: readonly { txHash: string; amount: string }[];
  /** In capitals, the invoice's own first. */
  currencies: readonly string[];
  /** A token other than the invoice's currency; null if the chain has none. */
  otherCurrency: string | null;
  /** URL to which the forms post. */
  actionUrl: string;
  returnUrl: string;
}
