import type { ServerResponse } from 'node:http';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { Logger } from '@vendure/core';
import { WebhookError } from '../../client/index.ts';
import type { RawRequest } from './raw-body.ts';
import { LOG_CONTEXT, PaylatchService } from './service.ts';

/** Receives webhooks. The service retries a webhook unless the response status is 2xx. */
@Controller('paylatch')
export class PaylatchController {
  readonly #service: PaylatchService;

  constructor(@Inject(PaylatchService) service: PaylatchService) {
    this.#service = service;
  }

  @Post('webhook')
  async receive(@Req() request: RawRequest, @Res() response: ServerResponse): Promise<void> {
    response.writeHead(await this.#handle(request)).end();
  }

  async #handle({ headers, rawBody }: RawRequest): Promise<number> {
    try {
      const event = await this.#service.payments.verify({ headers, body: rawBody ?? '' });
      if (event.type !== 'fiat.transaction.updated') return 204;
      return (await this.#service.applyTransaction(event.data.transaction_id)) === 'not_stored' ? 503 : 204;
    } catch (error) {
      const isForged = error instanceof WebhookError && error.code !== 'invalid_key';
      Logger.error(`Webhook failed: ${error instanceof Error ? error.message : String(error)}`, LOG_CONTEXT);
      return isForged ? 401 : 500;
    }
  }
}
