/*
 * The parts of Vendure's and Nest's types that the plugin uses, because Vendure is not installed in this repository.
 * The `shops` stage checks the sources with Vendure's own types instead.
 */
declare module '@nestjs/common' {
  export function Controller(path: string): ClassDecorator;
  export function Injectable(): ClassDecorator;
  export function Inject(token: unknown): ParameterDecorator;
  export function Post(path: string): MethodDecorator;
  export function Req(): ParameterDecorator;
  export function Res(): ParameterDecorator;
}

declare module '@vendure/core' {
  export type ID = string | number;
  export type PaymentState = 'Created' | 'Authorized' | 'Settled' | 'Declined' | 'Error' | 'Cancelled';
  export type RefundState = 'Pending' | 'Settled' | 'Failed';
  export const LanguageCode: { readonly en: 'en' };
  export interface RequestContext {
    readonly channel: { token: string };
  }
  export class Refund {
    id: ID;
    state: RefundState;
    transactionId: string;
    total: number;
  }
  export class Payment {
    id: ID;
    state: PaymentState;
    amount: number;
    method: string;
    transactionId: string;
    order: Order;
    refunds: Refund[];
    metadata: Record<string, unknown>;
    updatedAt: Date;
  }
  export class Order {
    id: ID;
    code: string;
    state: string;
    currencyCode: string;
    readonly totalWithTax: number;
    customer?: { firstName: string; lastName: string; emailAddress: string };
  }
  export class Injector {
    // oxlint-disable-next-line typescript/no-explicit-any -- a class with any constructor, as in Nest's own types
    get<Type>(token: new (...args: any[]) => Type): Type;
  }
  export interface Repository<Entity> {
    update(where: Partial<Entity>, changes: Partial<Entity>): Promise<{ affected?: number }>;
    findOneOrFail(options: { where: Partial<Entity>; relations: string[] }): Promise<Entity>;
  }
  export class TransactionalConnection {
    withTransaction<Result>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<Result>): Promise<Result>;
    getRepository<Entity>(ctx: RequestContext, entity: new () => Entity): Repository<Entity>;
  }
  export class OrderService {
    getOrderPayments(ctx: RequestContext, order: ID): Promise<Payment[]>;
    settlePayment(ctx: RequestContext, payment: ID): Promise<unknown>;
    transitionPaymentToState(ctx: RequestContext, payment: ID, state: PaymentState): Promise<unknown>;
    transitionRefundToState(ctx: RequestContext, refund: ID, state: RefundState): Promise<unknown>;
    applyPriceAdjustments(ctx: RequestContext, order: Order, ...more: unknown[]): Promise<Order>;
  }
  export class PaymentService {
    cancelPayment(ctx: RequestContext, payment: ID): Promise<unknown>;
  }
  export class RequestContextService {
    create(config: { apiType: 'admin'; channelOrToken: string }): Promise<RequestContext>;
  }
  export class ConfigService {
    entityOptions: { moneyStrategy: { precision?: number } };
  }
  export const Logger: {
    error(message: string, context?: string): void;
    warn(message: string, context?: string): void;
  };
  export class UserInputError extends Error {
    constructor(message: string);
  }
  export function isGraphQlErrorResult(result: unknown): result is { message: string };

  interface CreatePaymentResult {
    amount: number;
    state: 'Created' | 'Error';
    transactionId?: string;
    errorMessage?: string;
    metadata?: Record<string, unknown>;
  }
  type SettleResult = { success: true } | { success: false; state?: PaymentState; errorMessage?: string };
  type Async<Result> = Promise<Result>;
  export class PaymentMethodHandler {
    constructor(options: {
      code: string;
      description: { languageCode: 'en'; value: string }[];
      args: Record<string, never>;
      init: (injector: Injector) => void;
      createPayment: (ctx: RequestContext, order: Order, amount: number) => Async<CreatePaymentResult>;
      settlePayment: (ctx: RequestContext, order: Order, payment: Payment) => Async<SettleResult>;
      cancelPayment: (ctx: RequestContext, order: Order, payment: Payment) => Async<SettleResult>;
      createRefund: (
        ctx: RequestContext,
        input: unknown,
        amount: number,
        order: Order,
        payment: Payment,
      ) => Async<{ state: RefundState; transactionId?: string }>;
    });
    readonly code: string;
  }
  export interface PaymentProcess<State extends string> {
    transitions?: Record<string, { to: (State | PaymentState)[]; mergeStrategy?: 'merge' }>;
  }
  export interface OrderProcess<_State extends string> {
    init?(injector: Injector): void;
    onTransitionStart?(
      from: string,
      to: string,
      data: { ctx: RequestContext; order: Order },
    ): Promise<string | undefined>;
    onTransitionEnd?(from: string, to: string, data: { ctx: RequestContext; order: Order }): Promise<void>;
  }
  export const PluginCommonModule: unique symbol;
  interface VendureConfig {
    apiOptions: { middleware: { route: string; beforeListen?: boolean; handler: unknown }[] };
    paymentOptions: { paymentMethodHandlers: PaymentMethodHandler[]; process?: PaymentProcess<never>[] };
    orderOptions: { process?: OrderProcess<never>[] };
  }
  export function VendurePlugin(metadata: {
    imports: unknown[];
    providers: unknown[];
    controllers: unknown[];
    configuration: (config: VendureConfig) => VendureConfig;
    compatibility: string;
  }): ClassDecorator;
}
