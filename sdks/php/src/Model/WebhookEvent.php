<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * One of several types, or `Unknown`:
 *
 * - {@see FiatTransactionUpdatedWebhook}: fiat.transaction.updated
 * - {@see FiatDisputeCreatedWebhook}: fiat.dispute.created
 * - {@see FiatDisputeUpdatedWebhook}: fiat.dispute.updated
 * - {@see FiatDisputeClosedWebhook}: fiat.dispute.closed
 * - {@see CryptoTransactionCreatedWebhook}: crypto.transaction.created
 * - {@see CryptoTransactionUpdatedWebhook}: crypto.transaction.updated
 * - {@see CryptoWithdrawalUpdatedWebhook}: crypto.withdrawal.updated
 * - {@see CryptoWithdrawalDestinationChangedWebhook}: crypto.withdrawal.destination_changed
 * - {@see CallbackUrlChangedWebhook}: callback.url_changed
 * - {@see CallbackEndpointChangedWebhook}: callback.endpoint_changed
 * - {@see CallbackTestWebhook}: callback.test
 */
interface WebhookEvent
{
}
