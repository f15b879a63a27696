<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * One of several types, or `Unknown`:
 *
 * - {@see TransactionEvent}: fiat.transaction.updated
 * - {@see DisputeEvent}: fiat.dispute.created, fiat.dispute.updated, fiat.dispute.closed
 * - {@see CryptoTransactionEvent}: crypto.transaction.created, crypto.transaction.updated
 * - {@see WithdrawalEvent}: crypto.withdrawal.updated
 * - {@see WithdrawalDestinationChangeEvent}: crypto.withdrawal.destination_changed
 * - {@see CallbackUrlChangeEvent}: callback.url_changed
 * - {@see WebhookEndpointChangeEvent}: callback.endpoint_changed
 */
interface ListEventsResponseEvent
{
}
