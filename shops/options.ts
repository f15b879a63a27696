import * as z from 'zod/mini';

/** Settings for payments in one currency. */
export interface CurrencyOptions {
  /** Country of the payment method: ISO 3166-1 alpha-3, such as `USA`. */
  country: string;
  /** Payment method that the payment page opens with. Default: `credit_card`. */
  paymentMethod?: string | undefined;
}

/** Options shared by the plugins of all shop platforms. */
export interface ShopOptions {
  /** Base URL of your Paylatch service, such as `https://pay.example`. */
  baseUrl: string;
  /** Access token of the service, with the scopes `link:write`, `transaction:read` and `approval:write`. */
  token: string;
  /** Your merchant ID. Webhooks of other merchants are rejected. */
  merchantId: number;
  /** The webhook secret (`whsec_…`) or public key (`whpk_…`); several during a rotation. */
  webhookKey: string | string[];
  /** Storefront page that the buyer returns to, paid or not. */
  returnUrl: string;
  /** The currencies that you accept, by ISO 4217 code. */
  currencies: Record<string, CurrencyOptions>;
  /** `manual`: a card is authorized, and you capture it when you ship. Default: `automatic`. */
  capture?: 'automatic' | 'manual' | undefined;
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://' });
const webhookKey = z
  .string()
  .check(z.regex(/^(?:whsec|whpk)_[A-Za-z0-9+/=]+$/, { error: 'must start with whsec_ or whpk_' }));

export const shopOptionFields = {
  baseUrl: httpUrl,
  token: z.string().check(z.minLength(1, { error: 'must not be empty' })),
  merchantId: z.int().check(z.positive()),
  webhookKey: z.union([webhookKey, z.array(webhookKey).check(z.minLength(1))], {
    error: 'must be a webhook secret (whsec_…) or public key (whpk_…), or a list of them',
  }),
  returnUrl: httpUrl,
  currencies: z.record(
    z.string().check(z.regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code, such as USD' })),
    z.strictObject({
      country: z.string().check(z.regex(/^[A-Z]{3}$/, { error: 'must be an ISO 3166-1 alpha-3 code, such as USA' })),
      paymentMethod: z.optional(z.string().check(z.minLength(1))),
    }),
  ),
  capture: z.optional(z.enum(['automatic', 'manual'])),
};

/** Parses a plugin's options. Throws an error that lists every invalid option, without its value. */
export function parseOptions<Options extends ShopOptions>(schema: z.ZodMiniType<Options>, options: unknown): Options {
  const { success, data, error } = schema.safeParse(options, {
    error: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
  });
  if (success && Object.keys(data.currencies).length > 0) return data;
  const problems = error?.issues.map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`);
  throw new Error(`Invalid Paylatch options. ${(problems ?? ['currencies: must not be empty']).join('; ')}`);
}
