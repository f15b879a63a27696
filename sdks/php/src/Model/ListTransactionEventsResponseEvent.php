<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * One of several types, or `Unknown`:
 *
 * - {@see TransactionEvent}: fiat.transaction.updated
 * - {@see DisputeEvent}: fiat.dispute.created, fiat.dispute.updated, fiat.dispute.closed
 */
interface ListTransactionEventsResponseEvent
{
}
