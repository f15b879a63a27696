import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  ConfigService,
  type ID,
  isGraphQlErrorResult,
  Logger,
  type Order,
  OrderService,
  Payment,
  PaymentService,
  type PaymentState,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  UserInputError,
} from '@vendure/core';
import * as z from 'zod/mini';
import type { TransactionDetail } from '../../client/index.ts';
import { fromMinorUnits, toMinorUnits } from '../amounts.ts';
import { parseOptions, shopOptionFields, type ShopOptions } from '../options.ts';
import {
  capturedMinorUnits,
  type ExpectedAmount,
  isRefused,
  paymentStateOf,
  refundStateOf,
  ShopPaymentError,
  ShopPayments,
} from '../transactions.ts';

/** Options of `PaylatchPlugin.init`. `{orderCode}` in `returnUrl` is replaced with the code of the order. */
export type PaylatchVendureOptions = ShopOptions;

const optionsSchema: z.ZodMiniType<PaylatchVendureOptions> = z.strictObject(shopOptionFields);
export const parseVendureOptions = (options: unknown): PaylatchVendureOptions => parseOptions(optionsSchema, options);

export const PAYLATCH_OPTIONS = Symbol('PAYLATCH_OPTIONS');
export const LOG_CONTEXT = 'Paylatch';

/** A webhook can arrive before Vendure commits its payment. After this time, the payment counts as missing. */
const STORED_WITHIN_MS = 60 * 60 * 1000;

const refundStates = { pending: 'Pending', succeeded: 'Settled', failed: 'Failed' } as const;

/** Applies the state of Paylatch transactions to Vendure payments. */
@Injectable()
export class PaylatchService {
  readonly payments: ShopPayments;
  readonly #options: PaylatchVendureOptions;
  readonly #connection: TransactionalConnection;
  readonly #orders: OrderService;
  readonly #vendurePayments: PaymentService;
  readonly #contexts: RequestContextService;
  readonly #config: ConfigService;

  constructor(
    @Inject(PAYLATCH_OPTIONS) options: PaylatchVendureOptions,
    @Inject(TransactionalConnection) connection: TransactionalConnection,
    @Inject(OrderService) orders: OrderService,
    @Inject(PaymentService) vendurePayments: PaymentService,
    @Inject(RequestContextService) contexts: RequestContextService,
    @Inject(ConfigService) config: ConfigService,
  ) {
    this.payments = new ShopPayments(options);
    this.#options = options;
    this.#connection = connection;
    this.#orders = orders;
    this.#vendurePayments = vendurePayments;
    this.#contexts = contexts;
    this.#config = config;
    // Coupons and addresses change the total in any state, and publish no event afterward.
    const reprice = orders.applyPriceAdjustments.bind(orders);
    orders.applyPriceAdjustments = async (ctx, order, ...more) => {
      const { state, totalWithTax, currencyCode } = order;
      const repriced = await reprice(ctx, order, ...more);
      const isSame = repriced.totalWithTax === totalWithTax && repriced.currencyCode === currencyCode;
      // Vendure regards an order without an amount as paid when a payment is canceled.
      const keepsState = repriced.totalWithTax === 0;
      const problem =
        state === 'ArrangingPayment' && !isSame ? await this.cancelPayments(ctx, order.id, { keepsState }) : undefined;
      // Rolls the change back.
      if (problem !== undefined) throw new UserInputError(problem);
      return repriced;
    };
  }

  /** Converts a Vendure amount. Its decimals depend on the money strategy, not on the currency. */
  #toExpected(amount: number, currency: string): ExpectedAmount {
    const precision = this.#config.entityOptions.moneyStrategy.precision ?? 2;
    const digits = String(Math.abs(amount)).padStart(precision + 1, '0');
    const decimal = precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
    return { minor: toMinorUnits(amount < 0 ? `-${decimal}` : decimal, currency), currency };
  }

  /** Creates a link for the unpaid amount of the order, after canceling its earlier links. */
  async createPayment(ctx: RequestContext, order: Order) {
    const problem = await this.cancelPayments(ctx, order.id);
    if (problem !== undefined) throw new ShopPaymentError(problem);
    const amount = order.totalWithTax - coveredBy(await this.#orders.getOrderPayments(ctx, order.id));
    const reference = `${order.code}-${randomUUID().slice(0, 8)}`;
    const { customer } = order;
    const link = await this.payments.createLink({
      ...this.#toExpected(amount, order.currencyCode),
      reference,
      description: `Order ${order.code}`,
      returnUrl: this.#options.returnUrl.replace('{orderCode}', order.code),
      metadata: { vendure_order: order.code, vendure_channel: ctx.channel.token },
      ...(customer && {
        payer: {
          email: customer.emailAddress,
          ...(customer.firstName && { first_name: customer.firstName }),
          ...(customer.lastName && { last_name: customer.lastName }),
        },
      }),
    });
    return { amount, transactionId: reference, metadata: { paylatch: true, public: { link } } };
  }

  /**
   * Cancels the payments of an order in these states: unpaid links, and authorizations if `states` contains them. With
   * `keepsState`, their state in Vendure stays. Returns an error message if one is paid or being paid.
   */
  async cancelPayments(
    ctx: RequestContext,
    order: ID,
    { states = ['Created'], keepsState = false }: { states?: PaymentState[]; keepsState?: boolean } = {},
  ) {
    const all = await this.#orders.getOrderPayments(ctx, order);
    for (const { id, state, transactionId, metadata } of all) {
      // A payment method can have any code, so the metadata identifies Paylatch payments.
      if (!states.includes(state) || metadata['paylatch'] !== true) continue;
      const transaction = await this.payments.retrieve(transactionId);
      if (paymentStateOf(transaction) === 'authorized' && !states.includes('Authorized'))
        return `Transaction ${transactionId} is authorized, so the order cannot change.`;
      if (keepsState) {
        const problem = await this.#release(transactionId);
        if (problem !== undefined) return problem;
        continue;
      }
      const result = await this.#vendurePayments.cancelPayment(ctx, id);
      if (isGraphQlErrorResult(result)) return result.message;
      const { state: current, errorMessage } = result as Payment & { errorMessage?: string };
      if (current !== 'Cancelled') return errorMessage ?? `Transaction ${transactionId} cannot be canceled.`;
    }
    return undefined;
  }

  async #release(transactionId: string): Promise<string | undefined> {
    try {
      await this.payments.cancelOrVoid(transactionId);
      return undefined;
    } catch (error) {
      if (error instanceof ShopPaymentError) return error.message;
      throw error;
    }
  }

  /** Captures an authorized payment, or verifies that it is paid. Throws for another amount, currency or state. */
  async settle(ctx: RequestContext, order: Order, { id, transactionId, amount }: Payment): Promise<void> {
    const expected = this.#toExpected(amount, order.currencyCode);
    let transaction = await this.payments.retrieveExpected(transactionId, expected);
    if (paymentStateOf(transaction) === 'authorized')
      transaction = await this.payments.capture(transactionId, expected, randomUUID());
    const captured = capturedMinorUnits(transaction);
    if (captured === expected.minor) return await this.#compareTotal(ctx, order, { id, amount });
    throw new ShopPaymentError(
      captured > 0n
        ? `Transaction ${transactionId} was only partially captured in Paylatch. Vendure cannot settle part of a payment.`
        : `Transaction ${transactionId} has not been paid, or was refunded.`,
    );
  }

  /** Logs an error if the order's payments, including one to be settled, differ from its total. */
  async #compareTotal(ctx: RequestContext, order: Order, { id: settled, amount }: Pick<Payment, 'id' | 'amount'>) {
    // The rest of a modified order is paid separately.
    if (order.state === 'ArrangingAdditionalPayment') return;
    const others = (await this.#orders.getOrderPayments(ctx, order.id)).filter(({ id }) => id !== settled);
    const excess = coveredBy(others) + amount - order.totalWithTax;
    if (excess === 0) return;
    const { minor, currency } = this.#toExpected(Math.abs(excess), order.currencyCode);
    const difference = `${fromMinorUnits(minor, currency)} ${currency}`;
    Logger.error(
      excess > 0
        ? `The payments of order ${order.code} exceed its total by ${difference}. Refund the difference.`
        : `The payments of order ${order.code} are ${difference} less than its total. Request the difference, or cancel the order and refund it.`,
      LOG_CONTEXT,
    );
  }

  async refund(order: Order, { transactionId, refunds }: Payment, amount: number) {
    const expected = this.#toExpected(amount, order.currencyCode);
    // The same when a request is repeated after an error: the service may have paid although its response was lost.
    const key = `${transactionId}-refund-${refunds.length}-${amount}`;
    try {
      const { numbers, state, problem } = await this.payments.refund(transactionId, expected, key);
      if (problem !== undefined) Logger.error(problem, LOG_CONTEXT);
      return { state: refundStates[state], transactionId: `${transactionId}/${numbers.join('+')}` };
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Vendure stores the failed refund, so a repeated one has another key.
      Logger.error(`The refund of transaction ${transactionId} failed: ${error.message}`, LOG_CONTEXT);
      return { state: refundStates.failed, transactionId: '' };
    }
  }

  /**
   * Applies the current state of a transaction to its payment. Webhooks can be duplicate, concurrent and out of
   * order, so the payment's row is locked, and only valid transitions are applied. `not_stored`: Vendure has not stored
   * the payment yet.
   */
  async applyTransaction(reference: string): Promise<'applied' | 'not_stored' | 'ignored'> {
    const transaction = await this.payments.retrieve(reference);
    const channel = transaction.metadata?.['vendure_channel'];
    if (channel === undefined) return 'ignored';
    const outside = await this.#contexts.create({ apiType: 'admin', channelOrToken: channel });
    return await this.#connection.withTransaction(outside, async (ctx) => {
      const repository = this.#connection.getRepository(ctx, Payment);
      // An update locks the row on every database.
      const where = { transactionId: reference };
      const { affected } = await repository.update(where, { updatedAt: new Date() });
      if (affected === 0) return this.#reportMissing(transaction);
      const payment = await repository.findOneOrFail({ where, relations: ['order', 'refunds'] });
      await this.#applyState(ctx, payment, transaction);
      await this.#applyRefunds(ctx, payment, transaction);
      return 'applied';
    });
  }

  #reportMissing({ transaction_id: reference, created_at: createdAt, metadata }: TransactionDetail) {
    if (Date.now() - Date.parse(createdAt) < STORED_WITHIN_MS) return 'not_stored' as const;
    Logger.error(
      `Order ${metadata?.['vendure_order']} has no payment ${reference}. Check it in Paylatch.`,
      LOG_CONTEXT,
    );
    return 'ignored' as const;
  }

  async #applyState(ctx: RequestContext, { id, state, transactionId, order }: Payment, transaction: TransactionDetail) {
    const current = paymentStateOf(transaction);
    const isUnsettled = state === 'Created' || state === 'Authorized';
    if (current === 'paid') {
      if (isUnsettled) await this.#check(transactionId, this.#orders.settlePayment(ctx, id));
      else if (state !== 'Settled')
        Logger.error(
          `Transaction ${transactionId} was paid, but its payment is ${state}. Refund it in Paylatch.`,
          LOG_CONTEXT,
        );
    } else if (current === 'authorized' && state === 'Created') {
      await this.#check(transactionId, this.#orders.transitionPaymentToState(ctx, id, 'Authorized'));
    } else if (current === 'declined' && state === 'Created') {
      await this.#check(transactionId, this.#orders.transitionPaymentToState(ctx, id, 'Declined'));
    } else if (current === 'canceled' && state === 'Authorized') {
      // The payment of an expired link stays `Created`, so that a late payment settles it.
      await this.#check(transactionId, this.#orders.transitionPaymentToState(ctx, id, 'Cancelled'));
    } else if (state === 'Settled' && transaction.status !== 'transaction_status_confirmed') {
      const reason = transaction.authorization?.failure?.detail ?? 'the funds were reversed.';
      Logger.error(
        `Transaction ${transactionId} of order ${order.code} is no longer paid, but its payment is Settled: ${reason} Check it in Paylatch before you ship the order.`,
        LOG_CONTEXT,
      );
    }
  }

  /** Updates pending refunds, and logs refunds that failed later. */
  async #applyRefunds(ctx: RequestContext, { transactionId, refunds }: Payment, transaction: TransactionDetail) {
    for (const refund of refunds) {
      const [, reference, numbers = ''] = /^(.+)\/([\d+]+)$/.exec(refund.transactionId) ?? [];
      const parts = transaction.refunds.filter(({ number }) => numbers.split('+').includes(String(number)));
      const state = refundStateOf(parts);
      if (reference !== transactionId || parts.length === 0 || refund.state === refundStates[state]) continue;
      if (refund.state === 'Pending')
        await this.#check(transactionId, this.#orders.transitionRefundToState(ctx, refund.id, refundStates[state]));
      else Logger.error(`Refund ${refund.transactionId} ${state}, but is ${refund.state} in Vendure.`, LOG_CONTEXT);
    }
  }

  async #check(transactionId: string, change: Promise<unknown>) {
    const result = await change;
    if (isGraphQlErrorResult(result)) {
      const { message, paymentErrorMessage: detail } = result as { message: string; paymentErrorMessage?: string };
      Logger.error(`Transaction ${transactionId}: ${detail ?? message}`, LOG_CONTEXT);
    }
  }
}

/** Total of authorized and settled payments, less settled refunds. */
function coveredBy(payments: Payment[]): number {
  return payments
    .filter(({ state }) => state === 'Authorized' || state === 'Settled')
    .flatMap(({ amount, refunds }) => [
      amount,
      ...refunds.filter(({ state }) => state === 'Settled').map(({ total }) => -total),
    ])
    .reduce((sum, each) => sum + each, 0);
}
