/*
 * Adyen Checkout v71: the operations and fields that Paylatch uses. A field that is missing here is
 * rejected, so a new one is added with its limits from Adyen's documentation.
 */
import { z } from 'zod';
import {
  alpha2,
  cardNumber,
  headers,
  instant,
  ipAddress,
  month,
  operation,
  securityCode,
  text,
  webAddress,
} from '../contract.ts';

export const amount = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  value: z.int().nonnegative(),
});
const paidAmount = amount.refine(({ value }) => value > 0, { error: 'must be greater than 0' });

/** Adyen's own limit of references is 80 characters. */
const reference = text(80);
const pspReference = z.string().regex(/^[A-Z0-9]{16}$/);
export const merchantAccount = text(200);
export const stringMap = z.record(z.string(), z.string());

export const card = z.strictObject({
  type: z.literal('scheme'),
  number: cardNumber,
  expiryMonth: month,
  expiryYear: z.string().regex(/^20\d\d$/),
  cvc: securityCode.optional(),
  holderName: text(15_000).optional(),
  brand: z.string().optional(),
});

/** A field that the browser encrypted: a JWE. */
const encrypted = text(15_000).regex(/^[\w-]+(?:\.[\w-]+){4}$/);
const encryptedCard = card.omit({ number: true, expiryMonth: true, expiryYear: true, cvc: true }).extend({
  encryptedCardNumber: encrypted,
  encryptedExpiryMonth: encrypted,
  encryptedExpiryYear: encrypted,
  encryptedSecurityCode: encrypted.optional(),
});
export type EncryptedCard = z.infer<typeof encryptedCard>;

/** Methods that need no details. */
const plainTypes = [
  ...['ideal', 'promptpay', 'truemoney', 'gcash', 'paymaya_wallet', 'grabpay_PH', 'momo_wallet'],
  ...['molpay_ebanking_VN', 'upi_qr'],
] as const;
/** Online banking: the buyer's bank is an issuer from `/paymentMethods`. */
export const bankTypes = [
  ...['molpay_ebanking_fpx_MY', 'molpay_ebanking_TH', 'onlinebanking_IN', 'billdesk_online', 'dragonpay_ebanking'],
] as const;
/** Virtual accounts in Indonesia. */
export const accountTypes = [
  ...['doku_mandiri_va', 'doku_cimb_va', 'doku_danamon_va', 'doku_bni_va', 'doku_permata_lite_atm', 'doku_bri_va'],
  'doku_bca_va',
] as const;

const method = z.discriminatedUnion('type', [
  card,
  z.strictObject({ type: z.enum(plainTypes) }),
  z.strictObject({ type: z.enum(bankTypes), issuer: text(200) }),
  z.strictObject({
    type: z.enum(accountTypes),
    firstName: text(80),
    lastName: text(80),
    shopperEmail: z.email(),
  }),
  z.strictObject({ type: z.literal('upi_collect'), virtualPaymentAddress: z.string().regex(/^[\w.-]+@\w+$/) }),
  z.strictObject({ type: z.literal('upi_intent'), appId: z.string().optional() }),
  z.strictObject({ type: z.literal('payto'), shopperAccountIdentifier: z.string().optional() }),
]);

const browserInfo = z.strictObject({
  acceptHeader: text(1000),
  colorDepth: z.int(),
  javaEnabled: z.boolean(),
  javaScriptEnabled: z.boolean().optional(),
  language: text(35),
  screenHeight: z.int(),
  screenWidth: z.int(),
  timeZoneOffset: z.int(),
  userAgent: text(2000),
});

const address = z.strictObject({
  city: text(3000),
  country: alpha2,
  houseNumberOrName: text(3000),
  postalCode: z.string().max(10),
  stateOrProvince: z.string().max(1000).optional(),
  street: text(3000),
});

const authenticationData = z.strictObject({
  attemptAuthentication: z.enum(['always', 'never']).optional(),
  threeDSRequestData: z.strictObject({ nativeThreeDS: z.enum(['preferred', 'disabled']).optional() }).optional(),
});

const payment = z.strictObject({
  amount: paidAmount,
  merchantAccount,
  reference,
  returnUrl: webAddress.max(8000),
  paymentMethod: z.union([method, encryptedCard]),
  authenticationData: authenticationData.optional(),
  billingAddress: address.optional(),
  browserInfo: browserInfo.optional(),
  additionalData: z.strictObject({ manualCapture: z.enum(['true', 'false']) }).optional(),
  captureDelayHours: z.int().min(0).max(672).optional(),
  channel: z.enum(['iOS', 'Android', 'Web']).optional(),
  countryCode: alpha2.optional(),
  deliveryAddress: address.optional(),
  merchantOrderReference: text(1000).optional(),
  metadata: z.record(text(20), z.string().max(80)).optional(),
  origin: webAddress.max(80).optional(),
  redirectFromIssuerMethod: z.enum(['GET', 'POST']).optional(),
  redirectToIssuerMethod: z.enum(['GET', 'POST']).optional(),
  sessionValidity: instant.optional(),
  shopperEmail: z.email().optional(),
  shopperIP: ipAddress.optional(),
  shopperInteraction: z.literal('Ecommerce').optional(),
  shopperLocale: z
    .string()
    .regex(/^[a-z]{2,3}(?:[-_][A-Z][A-Za-z]+)?$/)
    .optional(),
  shopperName: z.strictObject({ firstName: text(80), lastName: text(80) }).optional(),
  shopperReference: text(256, 3).optional(),
  shopperStatement: text(22).optional(),
  telephoneNumber: text(32).optional(),
});

/** A payment whose card can be read. */
export type AdyenPaymentRequest = Omit<z.infer<typeof payment>, 'paymentMethod'> & {
  paymentMethod: z.infer<typeof method>;
};

const completion = z.strictObject({
  details: z.union([
    z.strictObject({ redirectResult: text(20_000) }),
    z.strictObject({ MD: text(20_000), PaRes: text(20_000) }),
    z.strictObject({ payload: text(20_000) }),
  ]),
  paymentData: text(200_000).optional(),
});

const resultCodes = [
  ...['Authorised', 'Cancelled', 'ChallengeShopper', 'Error', 'IdentifyShopper', 'PartiallyAuthorised', 'Pending'],
  ...['PresentToShopper', 'Received', 'RedirectShopper', 'Refused'],
] as const;
const resultCode = z.enum(resultCodes);

const paymentMethodType = z.string();
const action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('redirect'),
    paymentMethodType,
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    data: stringMap.optional(),
  }),
  z.strictObject({
    type: z.literal('qrCode'),
    paymentMethodType,
    qrCodeData: z.string(),
    paymentData: z.string(),
    expiresAt: instant,
  }),
  z.strictObject({ type: z.literal('await'), paymentMethodType, paymentData: z.string() }),
  z.strictObject({
    type: z.literal('voucher'),
    paymentMethodType,
    reference: z.string(),
    merchantName: z.string(),
    merchantReference: reference,
    expiresAt: z.iso.datetime({ local: true, offset: true }),
    initialAmount: amount,
    totalAmount: amount,
    shopperEmail: z.email(),
    shopperName: z.string(),
    instructionsUrl: z.string(),
  }),
  z.strictObject({
    type: z.literal('threeDS2'),
    paymentMethodType,
    subtype: z.enum(['fingerprint', 'challenge']),
    token: z.string(),
    authorisationToken: z.string(),
    paymentData: z.string(),
  }),
]);

const result = z.strictObject({
  resultCode,
  pspReference: pspReference.optional(),
  merchantReference: reference.optional(),
  amount: amount.optional(),
  paymentMethod: z.strictObject({ type: z.string(), brand: z.string().optional() }).optional(),
  refusalReason: z.string().optional(),
  refusalReasonCode: z.string().optional(),
  additionalData: stringMap.optional(),
});

const serviceError = z.strictObject({
  status: z.int(),
  errorCode: z.string(),
  message: z.string(),
  errorType: z.enum(['validation', 'security', 'configuration', 'internal']),
  pspReference: pspReference.optional(),
});
const errors = {
  400: serviceError,
  401: serviceError,
  403: serviceError,
  422: serviceError,
  429: serviceError,
  500: serviceError,
  503: serviceError,
};

/** Idempotency keys have at most 64 characters. */
const head = headers({ 'x-api-key': z.string(), 'idempotency-key': text(64).optional() });
const keyed = headers({ 'x-api-key': z.string(), 'idempotency-key': text(64) });

const modification = z.strictObject({ merchantAccount, reference: reference.optional() });
const modified = z.strictObject({
  merchantAccount,
  paymentPspReference: pspReference,
  pspReference,
  reference: reference.optional(),
  status: z.literal('received'),
});
const refundReason = z.enum(['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER']);

export const adyenContract = {
  charge: operation({
    name: 'charge',
    method: 'POST',
    path: '/payments',
    headers: keyed,
    body: payment,
    responses: { 200: result.extend({ action: action.optional() }), ...errors },
  }),
  details: operation({
    name: 'details',
    method: 'POST',
    path: '/payments/details',
    headers: head,
    body: completion,
    responses: { 200: result, ...errors },
  }),
  refund: operation({
    name: 'refund',
    method: 'POST',
    path: '/payments/{pspReference}/refunds',
    headers: keyed,
    body: modification.extend({ amount: paidAmount, merchantRefundReason: refundReason.optional() }),
    responses: { 201: modified.extend({ amount, merchantRefundReason: refundReason.optional() }), ...errors },
  }),
  reverse: operation({
    name: 'reverse',
    method: 'POST',
    path: '/payments/{pspReference}/reversals',
    headers: keyed,
    body: modification,
    responses: { 201: modified, ...errors },
  }),
  capture: operation({
    name: 'capture',
    method: 'POST',
    path: '/payments/{pspReference}/captures',
    headers: keyed,
    body: modification.extend({ amount: paidAmount }),
    responses: { 201: modified.extend({ amount }), ...errors },
  }),
  cancel: operation({
    name: 'cancel',
    method: 'POST',
    path: '/payments/{pspReference}/cancels',
    headers: keyed,
    body: modification,
    responses: { 201: modified, ...errors },
  }),
  abandon: operation({
    name: 'abandon',
    method: 'POST',
    path: '/cancels',
    headers: keyed,
    body: modification.extend({ paymentReference: reference }),
    responses: { 201: modified.omit({ paymentPspReference: true }).extend({ paymentReference: reference }), ...errors },
  }),
  methods: operation({
    name: 'methods',
    method: 'POST',
    path: '/paymentMethods',
    headers: head,
    body: z.strictObject({
      merchantAccount,
      amount: amount.optional(),
      channel: z.enum(['iOS', 'Android', 'Web']).optional(),
      countryCode: alpha2.optional(),
      shopperLocale: z.string().optional(),
      allowedPaymentMethods: z.array(z.string()).optional(),
    }),
    responses: {
      200: z.strictObject({
        paymentMethods: z.array(
          z.strictObject({
            type: z.string(),
            name: z.string(),
            brands: z.array(z.string()).optional(),
            issuers: z
              .array(z.strictObject({ id: z.string(), name: z.string(), disabled: z.boolean().optional() }))
              .optional(),
          }),
        ),
      }),
      ...errors,
    },
  }),
};
