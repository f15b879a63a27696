/*
 * The parts of Medusa's types that the provider uses, because Medusa is not installed in this repository. The `shops`
 * stage checks the sources with Medusa's own types instead.
 */
declare module '@medusajs/framework/utils' {
  import type {
    AuthorizePaymentInput,
    AuthorizePaymentOutput,
    BigNumberInput,
    InitiatePaymentInput,
    InitiatePaymentOutput,
    ModuleProviderExports,
    PaymentProviderInput,
    PaymentProviderOutput,
    ProviderWebhookPayload,
    WebhookActionResult,
  } from '@medusajs/framework/types';

  export abstract class AbstractPaymentProvider<Config = Record<string, unknown>> {
    protected readonly config: Config;
    protected readonly container: Record<string, unknown>;
    static validateOptions(options: Record<string, unknown>): void;
    protected constructor(cradle: Record<string, unknown>, config?: Config);
    static identifier: string;
    getIdentifier(): string;
    abstract capturePayment(input: PaymentProviderInput): Promise<PaymentProviderOutput>;
    abstract authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput>;
    abstract cancelPayment(input: PaymentProviderInput): Promise<PaymentProviderOutput>;
    abstract initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput>;
    abstract deletePayment(input: PaymentProviderInput): Promise<PaymentProviderOutput>;
    abstract getPaymentStatus(input: PaymentProviderInput): Promise<AuthorizePaymentOutput>;
    abstract refundPayment(input: PaymentProviderInput & { amount: BigNumberInput }): Promise<PaymentProviderOutput>;
    abstract retrievePayment(input: PaymentProviderInput): Promise<PaymentProviderOutput>;
    abstract updatePayment(input: InitiatePaymentInput): Promise<Partial<AuthorizePaymentOutput>>;
    abstract getWebhookActionAndData(data: ProviderWebhookPayload['payload']): Promise<WebhookActionResult>;
  }

  export const MathBN: {
    convert(amount: BigNumberInput): { toFixed(): string };
    sum(...amounts: BigNumberInput[]): { toFixed(): string };
  };

  export class MedusaError extends Error {
    static Types: Record<'INVALID_DATA' | 'NOT_ALLOWED', string>;
    constructor(type: string, message: string);
  }

  export const Modules: { readonly PAYMENT: 'payment' };

  export function ModuleProvider(module: string, provider: ModuleProviderExports): ModuleProviderExports;
}

declare module '@medusajs/framework/types' {
  export interface ModuleProviderExports {
    services: unknown[];
  }
  export type BigNumberInput = { value: string | number; [key: string]: unknown } | number | string;
  export type PaymentSessionStatus =
    | 'authorized'
    | 'captured'
    | 'pending'
    | 'requires_more'
    | 'error'
    | 'canceled'
    | 'pending_authorization';
  export interface PaymentProviderInput {
    data?: Record<string, unknown>;
    context?: {
      customer?: { email: string; first_name?: string | null; last_name?: string | null };
      idempotency_key?: string;
    };
  }
  export interface PaymentProviderOutput {
    data?: Record<string, unknown>;
  }
  export type AuthorizePaymentInput = PaymentProviderInput;
  export type CancelPaymentInput = PaymentProviderInput;
  export type CapturePaymentInput = PaymentProviderInput;
  export type DeletePaymentInput = PaymentProviderInput;
  export type GetPaymentStatusInput = PaymentProviderInput;
  export type RetrievePaymentInput = PaymentProviderInput;
  export interface InitiatePaymentInput extends PaymentProviderInput {
    amount: BigNumberInput;
    currency_code: string;
  }
  export type UpdatePaymentInput = InitiatePaymentInput;
  export interface RefundPaymentInput extends PaymentProviderInput {
    amount: BigNumberInput;
  }
  export interface AuthorizePaymentOutput extends PaymentProviderOutput {
    status: PaymentSessionStatus;
  }
  export interface InitiatePaymentOutput extends PaymentProviderOutput {
    id: string;
    status?: PaymentSessionStatus;
  }
  export type UpdatePaymentOutput = Partial<AuthorizePaymentOutput>;
  export interface ProviderWebhookPayload {
    payload: { data: Record<string, unknown>; rawData: string | Buffer; headers: Record<string, unknown> };
  }
  export interface WebhookActionResult {
    action: 'authorized' | 'captured' | 'failed' | 'pending' | 'requires_more' | 'canceled' | 'not_supported';
    data?: { session_id: string; amount: number };
  }
}
